/** What renews the leases of this process beside its main loop, and what it tells. */

import type { InvocationId } from '../model/ids.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { Millis } from '../model/time.ts'
import type { RenewRequest } from '../store/store.ts'

/** The runner's row and the leases that are old enough to need a renewal. */
export interface HeldWork {
  readonly runner: RunnerRecord
  readonly leases: RenewRequest['leases']
}

export type HeartbeatNews =
  | {
      readonly kind: 'renewed'
      readonly lost: readonly InvocationId[]
      /** Owned invocations for which somebody asked to cancel. */
      readonly cancelRequested: readonly InvocationId[]
    }
  /** A renewal could not be written, the `inARow`-th time without one in between that could. */
  | { readonly kind: 'failed'; readonly inARow: number; readonly message: string }
  /** The main loop gave no sign for so long that its leases are let go on purpose. */
  | { readonly kind: 'withheld'; readonly silentMs: Millis }

export interface HeartbeatDriver {
  /** Begins to renew what `progress` tells of. */
  readonly start: (held: HeldWork) => void
  /** A sign of life of the main loop, with what it holds now. */
  readonly progress: (held: HeldWork) => void
  /** Renews no more; resolves when nothing of it is under way. Legal twice. */
  readonly stop: () => Promise<void>
}

export interface HeartbeatTimes {
  readonly claimTtlMs: Millis
  /** For a main loop that is silent for longer nothing is renewed; nor for longer than half of a lease. */
  readonly stallLimitMs: Millis
  readonly intervalMs: Millis
}

/** Makes the driver of a process; `tell` is called on its main loop. */
export type HeartbeatDriverMaker = (
  times: HeartbeatTimes,
  tell: (news: HeartbeatNews) => void,
) => HeartbeatDriver
