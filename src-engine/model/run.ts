/** The record of a run: one execution of one workflow version. */

import type { Breakpoint } from './breakpoint.ts'
import type { ErrorRecord } from './errors.ts'
import type { DefinitionHash, InvocationId, NodeId, RunId, WorkflowId } from './ids.ts'
import type { Cause, PermitPlan, Priority, WaitReason } from './invocation.ts'
import type { Payload } from './payload.ts'
import type { RunStatus } from './run-status.ts'
import type { Instant, Millis } from './time.ts'

/** A signal that came before somebody waited for it. First in, first out by name and correlation. */
export interface BufferedSignal {
  /** The sender's name for the message: repeats are the same signal. */
  readonly messageId: string
  readonly name: string
  readonly correlation: string | null
  readonly payload: Payload
  readonly at: Instant
  /** The step whose web calls these are; absent for a signal. */
  readonly for?: InvocationId
  /** The messages that its payload is made of, oldest first; absent for a signal, which is one. */
  readonly messages?: readonly string[]
  /** Steps of the run whose schema its payload doesn't fit; absent where it fits all. */
  readonly misfits?: readonly SignalMisfit[]
}

/** A step that a signal's payload doesn't fit, and what becomes of it there. */
export interface SignalMisfit {
  readonly nodeId: NodeId
  /** Whether the step passes it over, or fails with it. */
  readonly onMisfit: 'refuse' | 'fail'
  readonly error: ErrorRecord
}

/** Which earlier run a run repeats or goes on from. */
export interface RunOrigin {
  readonly kind: 'rerun' | 'retry' | 'fork'
  readonly runId: RunId
  /** The node it began again from; null for the whole run. */
  readonly nodeId: string | null
}

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
  /** How long it lay ended, until somebody had it go on or be rolled back; absent for one that never did. */
  readonly idleMs?: Millis | undefined
  readonly deadlineAt: Instant | null
  readonly cancelRequestedAt: Instant | null
  readonly output: Payload | null
  /** What failed first. */
  readonly error: ErrorRecord | null
  /** The invocation that waits for this run, or that started it; null for a run of its own. */
  readonly parentInvocationId: InvocationId | null
  readonly origin: RunOrigin | null
  readonly pauseRequestedAt: Instant | null
  /** Signals that nobody has consumed yet, oldest first. */
  readonly signals: readonly BufferedSignal[]
  /** Permits of the workflow and the tenant that the run holds from its start to its end. */
  readonly permits: PermitPlan | null
  /** Why it hasn't started yet, or doesn't go on. */
  readonly waitReason: WaitReason | null
  /** W3C trace context that its spans belong to; null when nobody traces. */
  readonly traceParent: string | null
  /** Where it stops before a step; empty for a run that nobody debugs. */
  readonly breakpoints: readonly Breakpoint[]
}
