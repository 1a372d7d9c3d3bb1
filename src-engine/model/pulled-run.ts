/** A run of a cluster whose history was copied to this machine: what is told of the copy. */

import type { DefinitionHash, RunId, StoreId, WorkflowId } from './ids.ts'
import type { RunStatus } from './run-status.ts'
import type { Instant } from './time.ts'

/** Where a pulled run comes from, and how far its copy goes. */
export interface PullOrigin {
  /** The name of the cluster, else its address; of a run from a file, the file’s. */
  readonly cluster: string
  /** From a file: where it was made can’t be asked. */
  readonly isFile?: boolean
  /** The store there, whatever it is called. */
  readonly storeId: StoreId
  readonly pulledAt: Instant
  /** Its last event that came along. */
  readonly epoch: number
  readonly seq: number
}

/** A run as it was when it was pulled: it is only read here, and never goes on here. */
export interface PulledRun {
  readonly runId: RunId
  readonly workflowId: WorkflowId
  readonly workflowTitle: string
  readonly definitionHash: DefinitionHash
  readonly parentRunId: RunId | null
  readonly status: RunStatus
  readonly createdAt: Instant
  readonly origin: PullOrigin
  /** It had not ended: what happened since is not here. */
  readonly isSnapshot: boolean
  readonly events: number
  /** Payloads beside the events; `leftOut` were too much to come along, or were there no more. */
  readonly payloads: { readonly count: number; readonly bytes: number; readonly leftOut: number }
}
