/**
 * A checkpoint is the write-set of one decision: preconditions, record writes and events, committed whole
 * or refused whole with the reason. Everything durable happens through one.
 */

import type { AttemptRecord } from './attempt.ts'
import type { EventDraft } from './event.ts'
import type { Fence } from './fence.ts'
import type { InvocationId, NodeId, OpId, RunId, WorkflowId } from './ids.ts'
import type { InvocationRecord } from './invocation.ts'
import type { Actor } from './invocation-status.ts'
import type { JsonValue } from './json.ts'
import type { TransitionRefusal } from './machine.ts'
import type { Payload } from './payload.ts'
import type { RunRecord } from './run.ts'
import type { Instant } from './time.ts'
import type { WorkflowVersion } from './workflow-version.ts'

/** A register's value with its version; version 0 means that it doesn't exist yet. */
export interface Register {
  readonly key: string
  readonly value: JsonValue
  readonly version: number
}

/** A register whose instant has come. */
export interface DueRegister extends Register {
  readonly dueAt: Instant
}

/** Which registers are asked for: those of an instant up to this one. */
export interface DueQuery {
  readonly upTo: Instant
  readonly limit: number
}

export interface DueRegisters {
  /** Earliest first, and at the same instant by key. */
  readonly due: readonly DueRegister[]
  /** The earliest instant of those that aren't among them, come or not. */
  readonly nextAt: Instant | null
}

/** A register's new value; null removes it. */
export interface RegisterWrite {
  readonly key: string
  readonly value: JsonValue | null
  /** When it comes due; null for never, absent to leave that as it is. */
  readonly dueAt?: Instant | null
}

/** One of a counted set of permits, held by an invocation or a run until it is released. */
export interface SlotTake {
  readonly key: string
  readonly holder: string
  /** How many holders the key may have, this one included; the commit is refused beyond it. */
  readonly limit: number
  /** When it stops to count by itself (a rate limit); null for one that is held until it is released. */
  readonly expiresAt: Instant | null
  /**
   * Who took it for its holder outside of a checkpoint: names, joined by commas, of which `-` is nobody's; absent where
   * nobody did. It is held until each of them has given it back.
   */
  readonly by?: string
}

export interface SlotRelease {
  readonly key: string
  readonly holder: string
  /**
   * Given back for these names, or, with null, for nobody's outside of a checkpoint: it stays where others are left.
   * Absent for whoever took it, which only the holder's own checkpoint may say.
   */
  readonly by?: string | null
}

/** A follow-up in another partition or outside: delivered after the commit, repeated until it is done. */
export interface OutboxRecord {
  readonly id: string
  readonly kind: string
  readonly body: JsonValue
  readonly dueAt: Instant
}

/** What ended without success and needs a person. Written in the checkpoint that ended it. */
export interface DeadLetter {
  readonly id: string
  readonly runId: RunId | null
  readonly invocationId: InvocationId | null
  readonly workflowId: WorkflowId | null
  readonly nodeId: NodeId | null
  /** A stable code: `worker_lost`, `no_workers`, `dispatch_timeout`, `task_failed`, … */
  readonly reason: string
  /** The same in words. */
  readonly message: string
  /** The status that it had before it ended. */
  readonly lastStatus: string
  readonly at: Instant
  readonly attempts: number
  readonly input: Payload | null
  readonly body: JsonValue
}

export interface Preconditions {
  /**
   * The partition's epoch when all that this is built on was looked at: a failover may have taken it back since, and
   * others may have given the same versions out again. Absent where nothing is built on what was seen.
   */
  readonly epoch?: number
  /** The run's version before this checkpoint; 0 when it must not exist; absent when it isn't touched. */
  readonly run?: {
    readonly id: RunId
    readonly version: number
    /**
     * The checkpoint that this one builds on, where that has not been answered yet: it must have been the last
     * to write the run. The version alone would not tell it from somebody else's that came in between.
     */
    readonly after?: OpId
  }
  /** For every written invocation its version before (0: must not exist) and, when owned, its fence. */
  readonly invocations: readonly {
    readonly id: InvocationId
    readonly version: number
    /** Null when nobody must own it. */
    readonly fence: Fence | null
  }[]
  readonly registers: readonly { readonly key: string; readonly version: number }[]
}

export interface Writes {
  readonly workflowVersions: readonly WorkflowVersion[]
  /** The whole new record; its version is the precondition's plus one. */
  readonly run: RunRecord | null
  readonly invocations: readonly InvocationRecord[]
  readonly attempts: readonly AttemptRecord[]
  readonly registers: readonly RegisterWrite[]
  readonly take: readonly SlotTake[]
  readonly release: readonly SlotRelease[]
  readonly outbox: readonly OutboxRecord[]
  /** Ids of outbox records that were delivered. */
  readonly delivered: readonly string[]
  readonly deadLetters: readonly DeadLetter[]
  /** Ids of dead letters that somebody dealt with. */
  readonly settledLetters: readonly string[]
}

export interface Checkpoint {
  readonly partition: number
  readonly opId: OpId
  readonly actor: Actor
  readonly at: Instant
  /**
   * Whether its values are sealed, or it has none of anybody's; absent where they are as they are. The first sealed one
   * of a partition marks it, and from then on it takes no others.
   */
  readonly values?: 'sealed' | 'none'
  readonly expect: Preconditions
  readonly writes: Writes
  /** In the order in which they happened; every status change of `writes` has its event here. */
  readonly events: readonly EventDraft[]
}

/** Why a checkpoint was refused; nothing of it was written. */
export type CommitRefusal =
  | (TransitionRefusal & { readonly record: string })
  | { readonly kind: 'slot-taken'; readonly key: string; readonly holders: readonly string[] }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  /** The partition takes sealed values only, and these are as they are. */
  | { readonly kind: 'unsealed' }

export type CommitAnswer =
  | { readonly kind: 'accepted' }
  /** The same op-id was accepted before: a counted no-op. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'refused'; readonly refusal: CommitRefusal }

export const noWrites: Writes = {
  workflowVersions: [],
  run: null,
  invocations: [],
  attempts: [],
  registers: [],
  take: [],
  release: [],
  outbox: [],
  delivered: [],
  deadLetters: [],
  settledLetters: [],
}
