/**
 * The event: an immutable fact in a gap-free sequence per partition, written in the same transaction as
 * the state it tells of. It carries the full new values, so that a reader needs nothing else: replaying
 * the events of a run yields its records.
 */

import type { AttemptRecord } from './attempt.ts'
import type { InvocationId, NodeId, OpId, RunId } from './ids.ts'
import type { Cause, InvocationRecord } from './invocation.ts'
import type { Actor, InvocationStatus } from './invocation-status.ts'
import type { JsonValue } from './json.ts'
import type { RunRecord } from './run.ts'
import type { RunStatus } from './run-status.ts'
import type { Instant } from './time.ts'

/** What happened. `set` holds the full new value of every field that changed. */
export type EventBody =
  /** First event of a run: the whole record. */
  | { readonly type: 'run.created'; readonly run: RunRecord }
  | {
      readonly type: 'run.changed'
      /** The status before and after; equal when only other fields changed (a cancel request). */
      readonly from: RunStatus
      readonly to: RunStatus
      readonly set: Partial<RunRecord>
    }
  /** First event of an invocation: the whole record. */
  | { readonly type: 'invocation.registered'; readonly invocation: InvocationRecord }
  | {
      readonly type: 'invocation.changed'
      readonly from: InvocationStatus
      readonly to: InvocationStatus
      readonly set: Partial<InvocationRecord>
      /** The attempt that this change ended, if it ended one. */
      readonly attempt: AttemptRecord | null
    }
  /** A node whose every way in was not taken: it will not run in this generation. */
  | {
      readonly type: 'node.skipped'
      readonly nodeId: NodeId
      readonly path: string
      readonly generation: number
    }
  | { readonly type: 'register.changed'; readonly key: string; readonly value: JsonValue | null }
  | { readonly type: 'epoch.changed'; readonly from: number; readonly to: number; readonly reason: string }

/** What a decision says; the store adds place and hash. */
export interface EventDraft {
  readonly runId: RunId | null
  readonly invocationId: InvocationId | null
  readonly cause: Cause
  /** The run's version after this checkpoint; absent when the checkpoint doesn't write the run. */
  readonly runVersion?: number
  readonly body: EventBody
}

/** What an event changes, and when: all that records and what is drawn of them are made of. */
export interface EventChange {
  readonly at: Instant
  readonly invocationId: InvocationId | null
  readonly runVersion?: number | undefined
  readonly body: EventBody
}

export interface EngineEvent extends EventDraft {
  readonly partition: number
  readonly epoch: number
  /** Gap-free within a partition and epoch, from 1. */
  readonly seq: number
  readonly at: Instant
  readonly opId: OpId
  readonly actor: Actor
  /**
   * Hash of the event before it in the partition; 64 zeros for the first. Empty, as the own one is, where events came
   * in groups over a channel: who checks a chain reads the store.
   */
  readonly prevHash: string
  readonly hash: string
}

export const firstPrevHash = '0'.repeat(64)

/** The place after which to read in one partition. */
export interface PartitionCursor {
  readonly partition: number
  readonly epoch: number
  readonly seq: number
}

/** The place after which to read the whole feed: one entry per partition, absent ones from the start. */
export type Cursor = readonly PartitionCursor[]
