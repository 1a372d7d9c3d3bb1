/** Where a Redis store is, for the thread that renews its leases. */

import type { StoreId } from '../../model/ids.ts'
import type { RedisAddress, RedisTls } from './redis-options.ts'

/** Plain data, with the password in it: it is handed to a thread of this process and goes nowhere else. */
export interface RedisRenewerAddress {
  readonly kind: 'redis'
  readonly nodes: readonly RedisAddress[]
  readonly prefix: string
  readonly storeId: StoreId
  readonly partitions: number
  readonly username: string | null
  readonly password: string | null
  readonly tls: RedisTls | null
}
