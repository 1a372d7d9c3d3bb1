/**
 * A second way into a store's data that can do one thing: renew. The heartbeat's thread holds one, so that
 * a renewal neither waits for the main thread nor shares its connection.
 */

import type { InvocationId } from '../model/ids.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { Instant } from '../model/time.ts'

/** Where the data is, as plain data: it is handed to another thread. */
export interface RenewerAddress {
  readonly kind: 'sqlite'
  readonly file: string
}

export interface LeaseRenewer {
  /**
   * Writes the runner's row and renews its leases of these invocations in one step; the expiry is absolute.
   * Answers which of them this runner doesn't own any more. Throws when the data can't be written.
   */
  readonly renew: (request: {
    readonly runner: RunnerRecord
    readonly invocationIds: readonly InvocationId[]
    readonly expiresAt: Instant
  }) => readonly InvocationId[]
  readonly close: () => void
}

/** Opens the connection of an address. Throws `store_failed`, `store_busy`. */
export async function openRenewer(address: RenewerAddress): Promise<LeaseRenewer> {
  const { openSqliteRenewer } = await import('./sqlite/sqlite-renewer.ts')
  return openSqliteRenewer(address.file)
}
