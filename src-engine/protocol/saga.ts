/** What can be seen of a run's rollback, and what people can do about it. */

import type { ErrorRecord } from '../model/errors.ts'
import type { InvocationId, NodeId, RunId } from '../model/ids.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'

/** Where a compensation is: a view of its invocation's status, no status of its own. */
export type UndoState = 'recorded' | 'pending' | 'running' | 'done' | 'failed' | 'skipped'

/** Why a step stands as it was left. */
export type LeftReason =
  /** The document says that nothing can undo it. */
  | 'impossible'
  /** It has an effect, and nothing that undoes it. */
  | 'no_compensation'
  /** What undoes it has failed. */
  | 'failed'
  /** Somebody passed over it, or gave up the rollback. */
  | 'skipped'
  | 'abandoned'
  /** The policy doesn't allow to undo it, or couldn't be asked. */
  | 'denied'
  /** What is recorded means nothing to the version that the run is bound to. */
  | 'undecodable'

/** One compensation of a run. Of a chain (one failed, and was tried anew) the newest one counts. */
export interface SagaEntry {
  readonly id: InvocationId
  /** The step that it undoes. */
  readonly of: InvocationId
  readonly nodeId: NodeId
  /** Loop and map path of the step; empty outside of them. */
  readonly path: string
  readonly taskKind: string
  /** The order in which steps ended, from 1; the last one is undone first. */
  readonly place: number
  readonly state: UndoState
  /** Whether nobody knows if the step had its effect. */
  readonly uncertain: boolean
  /** Attempts that it began, those of earlier ones of its chain included. */
  readonly attempts: number
  readonly startedAt: Instant | null
  readonly finishedAt: Instant | null
  /** The last one. */
  readonly error: ErrorRecord | null
}

/** A step whose effect stays. */
export interface LeftBehind {
  readonly of: InvocationId
  readonly nodeId: NodeId
  readonly path: string
  readonly reason: LeftReason
  /** The same in words. */
  readonly message: string
  /** Who decided so, where somebody did. */
  readonly by: string | null
}

export const sagaActions = ['compensate', 'retry', 'skip', 'abandon'] as const

export type SagaAction = (typeof sagaActions)[number]

export interface SagaView {
  readonly runId: RunId
  readonly status: RunStatus
  /** Whether what is recorded would be, is being, or was undone. */
  readonly hasBegun: boolean
  /** In the order in which they are undone. */
  readonly entries: readonly SagaEntry[]
  readonly undone: readonly InvocationId[]
  /** Before a rollback: what could not be undone. */
  readonly leftBehind: readonly LeftBehind[]
  /** What may be done about it now. */
  readonly actions: readonly SagaAction[]
}

export interface SagaRequest {
  readonly runId: RunId
  /** `compensate`: an ended run is rolled back; the others answer a rollback that has failed. */
  readonly action: SagaAction
  /** The failed compensation that is meant; null for all that have failed. */
  readonly of: InvocationId | null
  readonly by: string | null
  readonly reason: string | null
}

export interface SagaAnswer {
  readonly status: RunStatus
  readonly requestedAt: Instant
}

/** Methods about rollbacks. */
export interface SagaApi {
  readonly 'saga.show': { readonly input: { readonly runId: RunId }; readonly output: SagaView }
  /** Throws `rollback_not_possible`, `run_not_found`. */
  readonly 'saga.act': { readonly input: SagaRequest; readonly output: SagaAnswer }
}
