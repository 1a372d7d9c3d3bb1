/** What can renew leases without being a whole store. */

import type { InvocationId } from '../model/ids.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { Instant } from '../model/time.ts'
import type { RenewRequest } from './store.ts'

export interface LeaseRenewer {
  /**
   * Writes the runner's row and renews these of its leases in one step; the expiry is absolute. Answers which
   * of them aren't this runner's any more. Throws, or rejects, when the data can't be written.
   */
  readonly renew: (request: {
    readonly runner: RunnerRecord
    readonly leases: RenewRequest['leases']
    readonly expiresAt: Instant
  }) => readonly InvocationId[] | Promise<readonly InvocationId[]>
  readonly close: () => void
}
