/** What people and programs can ask of a run that is under way, and how the engine answers. */

import type { ErrorRecord } from '../model/errors.ts'
import type { DefinitionHash, NodeId, RunId, WorkflowId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'
import type { RunSearch } from './run-search.ts'

export const controlActions = ['pause', 'resume', 'cancel', 'skip', 'step'] as const

export type ControlAction = (typeof controlActions)[number]

export interface ControlRequest {
  readonly runId: RunId
  readonly action: ControlAction
  /**
   * One step; null for the whole run. `skip` needs one, `cancel` takes none; `step` without one lets all go on
   * before which the run stands.
   */
  readonly nodeId: NodeId | null
  /** Who asks; null for whoever sits at this machine. */
  readonly by: string | null
  readonly reason: string | null
  /** Whether the answer is to come once the request is in effect. */
  readonly wait: boolean
}

export interface ControlAnswer {
  readonly status: RunStatus
  readonly requestedAt: Instant
  /** Null while work under way has still to follow. */
  readonly inEffectAt: Instant | null
}

/** One run of several: an answer or a refusal. */
export interface ControlResult {
  readonly runId: RunId
  readonly answer: ControlAnswer | null
  readonly error: ErrorRecord | null
}

/** A message to a run. */
export interface SignalRequest {
  readonly runId: RunId
  readonly name: string
  /** Only a step that waits for the same one takes it; null for none. */
  readonly correlation: string | null
  readonly payload: JsonValue
  /** The sender's own id: a repeat changes nothing. Null when it promises none. */
  readonly messageId: string | null
}

export interface SignalAnswer {
  readonly messageId: string
  /** Taken by a waiting step, kept for one that will wait, or received before. */
  readonly outcome: 'delivered' | 'kept' | 'repeated'
}

/** Having an ended run go on, as the same run under its next generation. */
export interface RetryRequest {
  readonly runId: RunId
  /** The step to begin with, beside what failed, was cancelled or timed out; null for only those. */
  readonly nodeId: NodeId | null
  /** What arrives at that step instead of what did; null to leave it. */
  readonly input: { readonly value: JsonValue } | null
  /** Its own version of the workflow, or the newest: what is kept must mean the same there. */
  readonly version: 'same' | 'newest'
  /** With `newest`: the version to go on with; null for the newest that was published. */
  readonly document: JsonObject | null
  readonly by: string | null
  readonly reason: string | null
  /** Only while the run's record is at this version (`teleport_run_moved`); absent for whatever it is. */
  readonly ifVersion?: number | undefined
}

export interface RetryAnswer {
  readonly runId: RunId
  /** The version that the run is bound to from now on. */
  readonly hash: DefinitionHash
  readonly generation: number
  readonly status: RunStatus
  /** The steps that began anew; those that follow them do when their turn comes. */
  readonly again: readonly NodeId[]
  readonly at: Instant
}

/** A fact to be told to whom it may concern. */
export interface EventRequest {
  readonly name: string
  /** Only steps that wait for the same one take it; null for none. */
  readonly correlation: string | null
  readonly payload: JsonValue
  /** The sender's own id: a repeat changes nothing. Null when it promises none. */
  readonly messageId: string | null
  /** Only this run, which keeps it until it waits for it; null for all that wait now. */
  readonly runId: RunId | null
}

export interface EventAnswer {
  readonly messageId: string
  /** Durable, or received before. */
  readonly outcome: 'accepted' | 'repeated'
}

export const bulkActions = ['pause', 'resume', 'cancel', 'retry', 'rerun'] as const

export type BulkAction = (typeof bulkActions)[number]

/** The same wish for every run that a filter fits; a page per call, so that no call takes for ever. */
export interface BulkRequest {
  readonly action: BulkAction
  readonly filter: RunSearch & {
    readonly workflowId: WorkflowId | null
    /**
     * Null: all that the action can be meant for. Retry means what failed or timed out, rerun whatever ended. What a
     * step of another run started is run again with that run, and by itself only where `origin` is `step`.
     */
    readonly statuses: readonly RunStatus[] | null
  }
  /** Only tells which runs are meant. */
  readonly dryRun: boolean
  /** For `retry` and `rerun`: the version that each run is bound to, or the newest that was published of its workflow. */
  readonly version: 'same' | 'newest'
  /** For `rerun`, the caller's promise that repeats are the same wish: each run is run again once by it. */
  readonly requestId?: string | null | undefined
  readonly by: string | null
  readonly reason: string | null
  /** The `next` of the page before; null for the first. */
  readonly after: RunId | null
  readonly limit: number
}

export interface BulkOutcome {
  readonly runId: RunId
  readonly workflowId: WorkflowId
  readonly workflowTitle: string
  readonly before: RunStatus
  /** As it was answered: what is under way may have still to follow. */
  readonly status: RunStatus
  /** The run that was started in its place; null for every other wish, and where it was refused. */
  readonly startedRunId: RunId | null
  readonly error: ErrorRecord | null
}

export interface BulkPage {
  readonly outcomes: readonly BulkOutcome[]
  /** Of this page. */
  readonly counts: { readonly matched: number; readonly done: number; readonly refused: number }
  readonly next: RunId | null
}

/** Running a run again, as a new run that names the old one as its origin. */
export interface RerunRequest {
  readonly runId: RunId
  /** The document to run; null for the version that the run was bound to. */
  readonly document: JsonObject | null
  /** Whether the document may be another version than the run's. */
  readonly otherVersion: boolean
  /** Another input; null for the one that the run had. */
  readonly input: { readonly value: JsonValue } | null
  readonly requestId: string | null
  readonly by: string | null
  readonly reason: string | null
}
