/** The record of a run: one execution of one workflow version. */

import type { ErrorRecord } from './errors.ts'
import type { DefinitionHash, RunId, WorkflowId } from './ids.ts'
import type { Cause, Priority } from './invocation.ts'
import type { Payload } from './payload.ts'
import type { RunStatus } from './run-status.ts'
import type { Instant } from './time.ts'

export interface RunRecord {
  readonly id: RunId
  readonly partition: number
  readonly tenant: string
  readonly workflowId: WorkflowId
  readonly workflowTitle: string
  readonly definitionHash: DefinitionHash
  /** The caller's promise that repeats are the same demand; null when it made none. */
  readonly requestId: string | null
  readonly parentRunId: RunId | null
  readonly generation: number
  readonly status: RunStatus
  /** Grows by one with every write of this record. */
  readonly version: number
  readonly priority: Priority
  readonly tags: readonly string[]
  readonly cause: Cause
  readonly input: Payload
  /** Where relative paths of its tasks start: the folder of the workflow file. */
  readonly baseDirectory: string | null
  /** Frozen at the start, so that every attempt of every step sees the same `now`. */
  readonly now: Instant
  /** Frozen seed of the run's random numbers. */
  readonly seed: string
  readonly createdAt: Instant
  readonly startedAt: Instant | null
  readonly finishedAt: Instant | null
  readonly deadlineAt: Instant | null
  readonly cancelRequestedAt: Instant | null
  readonly output: Payload | null
  /** What failed first. */
  readonly error: ErrorRecord | null
}
