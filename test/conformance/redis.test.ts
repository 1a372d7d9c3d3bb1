import { redisServers, redisStores } from './redis-stores.ts'
import { conformanceSuite } from './suite.ts'

for (const subject of redisStores(redisServers())) conformanceSuite(subject)
