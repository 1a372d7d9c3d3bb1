/** Runs that come from each other: who started a run, and which runs its steps started. */

import type { InvocationId, NodeId, RunId } from '../model/ids.ts'
import type { RunRecord } from '../model/run.ts'

/** What a tree says of one run. */
export type FamilyRun = Pick<
  RunRecord,
  | 'id'
  | 'workflowId'
  | 'workflowTitle'
  | 'definitionHash'
  | 'status'
  | 'createdAt'
  | 'startedAt'
  | 'finishedAt'
  | 'idleMs'
>

export interface ChildOfRun {
  /** The step that started it, and where in maps and loops it stands. */
  readonly invocationId: InvocationId
  readonly nodeId: NodeId
  readonly path: string
  readonly runId: RunId
  /** Null for a run that isn't there (yet, or any more). */
  readonly run: FamilyRun | null
}

export interface FamilyRequest {
  readonly runId: RunId
  /** Where the page of children goes on: the invocation that the last one ended with; null for the first. */
  readonly after: InvocationId | null
  readonly limit: number
}

export interface RunFamily {
  readonly run: FamilyRun
  /** From the one that nobody started down to the one that started this run. */
  readonly ancestors: readonly FamilyRun[]
  /** In the order in which their steps were registered. */
  readonly children: readonly ChildOfRun[]
  readonly total: number
  readonly next: InvocationId | null
}
