/**
 * A second way into a store's data that can do one thing: renew. The heartbeat's thread holds one, so that
 * a renewal neither waits for the main thread nor shares its connection.
 */

import type { Clock } from '../model/ports.ts'
import type { LeaseRenewer } from './lease-renewer.ts'
import type { RenewerAddress } from './renewer-address.ts'

/** Opens the connection of an address; `password` is asked with each new one. Throws what opening the store throws. */
export async function openRenewer(
  address: RenewerAddress,
  clock: Pick<Clock, 'now' | 'after'>,
  password?: () => Promise<string | null>,
): Promise<LeaseRenewer> {
  if (address.kind === 'redis') {
    const { openRedisRenewer } = await import('./redis/redis-renewer.ts')
    return openRedisRenewer(address, clock, password)
  }
  const { openSqliteRenewer } = await import('./sqlite/sqlite-renewer.ts')
  return openSqliteRenewer(address.file)
}
