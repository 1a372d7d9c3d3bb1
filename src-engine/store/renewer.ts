/**
 * A second way into a store's data that can do one thing: renew. The heartbeat's thread holds one, so that
 * a renewal neither waits for the main thread nor shares its connection.
 */

import type { LeaseRenewer } from './lease-renewer.ts'

/** Where the data is, as plain data: it is handed to another thread. */
export interface RenewerAddress {
  readonly kind: 'sqlite'
  readonly file: string
}

/** Opens the connection of an address. Throws `store_failed`, `store_busy`. */
export async function openRenewer(address: RenewerAddress): Promise<LeaseRenewer> {
  const { openSqliteRenewer } = await import('./sqlite/sqlite-renewer.ts')
  return openSqliteRenewer(address.file)
}
