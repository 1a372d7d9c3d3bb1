/** The answer to “why is it waiting?”. */

import type { InvocationId, NodeId } from '../model/ids.ts'
import type { InvocationStatus } from '../model/invocation-status.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'

/** Who has a permit that others wait for, and where in line an invocation stands. */
export interface PermitQueue {
  readonly key: string
  readonly limit: number
  readonly holders: readonly string[]
  /** 1 for the next one, and for all that are served at once. */
  readonly position: number
  /** How many wait. */
  readonly waiting: number
}

/** One step of a run that isn't at work, or a run that hasn't begun, and what it waits for. */
export interface WhyWaiting {
  /** Null for the run itself. */
  readonly invocationId: InvocationId | null
  readonly nodeId: NodeId | null
  readonly status: InvocationStatus | RunStatus
  /** A stable code: `concurrency_limit`, `rate_limit`, `backoff`, `no_workers`, `no_slot`, … */
  readonly code: string
  readonly message: string
  readonly since: Instant
  /** When it goes on by itself at the latest; null when nobody knows. */
  readonly until: Instant | null
  /** Null when it waits for no permit. */
  readonly permit: PermitQueue | null
  /** What a person can do about it. */
  readonly help: string
}
