/** Rollbacks on Redis: one server, and a cluster; each engine with connections of its own. */

import { engineSubjects } from './redis-engines.ts'
import { redisServers } from './redis-stores.ts'
import { rollbackCases } from './rollbacks.ts'

rollbackCases(engineSubjects(redisServers()))
