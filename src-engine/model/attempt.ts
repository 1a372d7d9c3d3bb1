/** The record of one try of an invocation: written once, when it has ended. */

import type { ErrorRecord } from './errors.ts'
import type { Fence } from './fence.ts'
import type { InvocationId, RunId, RunnerId } from './ids.ts'
import type { Payload } from './payload.ts'
import type { Instant } from './time.ts'

export type AttemptOutcome =
  | 'succeeded'
  | 'failed'
  | 'timed-out'
  | 'cancelled'
  /** Handed over to a timer or a signal. */
  | 'parked'
  /** Its runner died or lost the lease. */
  | 'lost'
  /** Handed back by a runner that was stopped. */
  | 'handed-back'
  /** The step's own condition kept it from running. */
  | 'skipped'
  /** A result of an earlier run stood for running it. */
  | 'reused'

export interface AttemptRecord {
  readonly invocationId: InvocationId
  readonly runId: RunId
  /** 1 for the first try. */
  readonly number: number
  readonly runnerId: RunnerId
  readonly fence: Fence
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly outcome: AttemptOutcome
  /** The resolved parameters. */
  readonly input: Payload | null
  readonly output: Payload | null
  readonly error: ErrorRecord | null
  /** JSON text of an array of log lines, `LogLine[]`; the tail when there were too many. */
  readonly log: Payload | null
}

export interface LogLine {
  readonly at: Instant
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** `stdout`, `stderr`, `console` or `task`. */
  readonly stream: string
  readonly text: string
}
