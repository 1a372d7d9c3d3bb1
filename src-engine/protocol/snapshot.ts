/** The state of a run at one sequence: what a reader needs before it can follow the events. */

import type { NodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { PulledRun } from '../model/pulled-run.ts'
import type { RunRecord } from '../model/run.ts'

export interface SkippedNode {
  readonly nodeId: NodeId
  readonly path: string
  readonly generation: number
}

export interface RunSnapshot {
  readonly run: RunRecord
  readonly invocations: readonly InvocationRecord[]
  readonly skipped: readonly SkippedNode[]
  /** Sequence of the last event that is part of this state, in the run's partition. */
  readonly epoch: number
  readonly seq: number
  /** Where a run of a cluster was copied from; absent for a run of the store itself. */
  readonly pulled?: PulledRun
}
