import { partitionedRedisStores, redisServers } from './redis-stores.ts'
import { partitionedSuite } from './suite.ts'

for (const subject of partitionedRedisStores(redisServers())) partitionedSuite(subject)
