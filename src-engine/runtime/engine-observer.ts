/** Who watches an engine from inside of its process, to count and to trace; nothing depends on an answer. */

import type { Decision } from '../core/draft.ts'
import type { Checkpoint, CommitAnswer } from '../model/checkpoint.ts'
import type { RunId } from '../model/ids.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { ClaimAnswer, ClaimRequest } from '../store/store.ts'

export interface EngineObserver {
  /** A decision of this process was committed. */
  readonly decided: (decision: Decision) => void
  /** A workflow or an input was refused. */
  readonly refused: () => void
  /** The trace context that a new run gets; null when nobody traces. */
  readonly traceParentOf: (runId: RunId) => string | null
}

/** How long something took: when it began on the wall clock, and the span on the one that doesn't jump. */
export interface Took {
  readonly begunAt: Instant
  readonly ms: Millis
}

export interface StoreObserver {
  readonly claimed: (request: ClaimRequest, answer: ClaimAnswer, took: Took) => void
  readonly committed: (
    checkpoints: readonly Checkpoint[],
    answers: readonly CommitAnswer[],
    took: Took,
  ) => void
}

/** Watches nothing. */
export const noObserver: EngineObserver = {
  decided: () => undefined,
  refused: () => undefined,
  traceParentOf: () => null,
}
