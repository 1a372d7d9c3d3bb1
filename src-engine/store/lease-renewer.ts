/** What can renew leases without being a whole store. */

import type { InvocationId } from '../model/ids.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { Instant } from '../model/time.ts'

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
