import { redisStores } from './redis-stores.ts'
import { conformanceSuite } from './suite.ts'

for (const subject of redisStores()) conformanceSuite(subject)
