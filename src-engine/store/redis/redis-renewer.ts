/** Renews leases of a Redis store over connections of its own. */

import { runIdOf } from '../../model/ids.ts'
import { homePartition, partitionOf } from '../../model/partition.ts'
import type { LeaseRenewer } from '../lease-renewer.ts'
import type { RenewRequest } from '../store.ts'
import { partitionKeys } from './layout.ts'
import { serverTime } from './lease-time.ts'
import { renewLeases } from './leases.ts'
import type { RedisClock } from './redis-options.ts'
import { commandMsDefault, patienceMsDefault } from './redis-options.ts'
import type { RedisRenewerAddress } from './renewer-address.ts'
import { openRouter } from './router.ts'

/** The store must have been opened before: it is neither made nor checked here. */
export async function openRedisRenewer(
  address: RedisRenewerAddress,
  clock: RedisClock,
  asked?: () => Promise<string | null>,
): Promise<LeaseRenewer> {
  const { nodes, prefix, storeId, partitions, username, password, tls } = address
  // The address has it as it was when the store was opened; it may have been rotated since.
  const access = { username, password: asked ?? (async () => password), tls }
  const times = { commandMs: commandMsDefault, patienceMs: patienceMsDefault }
  const router = await openRouter({ nodes, access, clock, ...times })
  return {
    async renew({ runner, leases, expiresAt }) {
      const byPartition = new Map<number, RenewRequest['leases']>([[homePartition, []]])
      for (const lease of leases) {
        const partition = partitionOf(runIdOf(lease.invocationId), partitions)
        byPartition.set(partition, [...(byPartition.get(partition) ?? []), lease])
      }
      const answers = await Promise.all(
        [...byPartition].map(([partition, own]) => {
          const keys = partitionKeys(prefix, partition)
          return renewLeases(
            { router, keys, storeId, time: serverTime(clock) },
            { runner, leases: own, expiresAt },
          )
        }),
      )
      return answers.flatMap(({ lost }) => lost)
    },
    close: () => router.close(),
  }
}
