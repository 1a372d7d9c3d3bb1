/** The record of an invocation: the durable demand to execute one node of one run. */

import type { ApprovalDecision, ApprovalWait } from './approval.ts'
import type { CircuitVisit } from './circuit.ts'
import type { ErrorRecord } from './errors.ts'
import type { Fence } from './fence.ts'
import type { InvocationId, NodeId, RunId, RunnerId } from './ids.ts'
import type { InvocationStatus } from './invocation-status.ts'
import type { OutputCheck } from './output/output-check.ts'
import type { Payload } from './payload.ts'
import type { PolicyRuling } from './policy/ruling.ts'
import type { TakenItems } from './taken-items.ts'
import type { Instant, Millis } from './time.ts'

/** How urgently an invocation is claimed; ordered by the numbers of `priorityRank`. */
export type Priority = 'CRITICAL' | 'HIGH' | 'NORMAL' | 'LOW' | 'MINIMAL'

/** Smaller is sooner. */
export const priorityRank: Readonly<Record<Priority, number>> = {
  CRITICAL: 0,
  HIGH: 1,
  NORMAL: 2,
  LOW: 3,
  MINIMAL: 4,
}

/** Why a record was made or moved: what preceded it, in a form people and programs can follow. */
export interface Cause {
  /** `manual`, `upstream`, `retry`, `timer`, `timeout`, `cancel`, `recovery`, `skipped`, `trigger:…` */
  readonly kind: string
  /** The invocation, run, trigger or person that caused it, where there is one. */
  readonly by: string | null
  readonly detail: string | null
}

/** Why an available invocation isn't running yet; null while nothing holds it up. */
export interface WaitReason {
  /** `backoff`, `timer`, `no_slot`, `approval`, `signal`, … */
  readonly code: string
  readonly message: string
  /** The step of another run together with which a run was paused; absent when it was paused for itself. */
  readonly pausedWith?: InvocationId
}

/** Where an invocation may run; absent from a record that anybody of its pool may run. */
export interface Route {
  /** Pools that may run it, preferred one first; empty when none is mapped to its topic. */
  readonly pools: readonly string[]
  /** Each `key=value` must be among the runner's labels. */
  readonly labels: readonly string[]
  /** Abilities beyond the task kind; each must be among the runner's capabilities. */
  readonly requires: readonly string[]
  /** A runner with tags takes it only if these are all among them; absent when there are none. */
  readonly tags?: readonly string[]
  /** Has the others wait until `preferredUntil`; null when nobody is preferred. */
  readonly preferredRunner: RunnerId | null
  readonly preferredUntil: Instant | null
}

/** A permit of a counted set: taken in the step that claims, held until the status is no owned one. */
export interface Permit {
  /** `node:…`, `args:…`, `pool:…`, `tenant:…`, `rate:…`, … */
  readonly key: string
  readonly limit: number
  /** For a rate limit, how long a taken permit counts, however soon the work ends; else null. */
  readonly windowMs: Millis | null
}

/** What concurrency control asks of an invocation; absent from a record that it asks nothing of. */
export interface PermitPlan {
  /** All of them, or it isn't claimed. */
  readonly permits: readonly Permit[]
  /** Keys that depend on the parameters are added once these are known; until then false. */
  readonly resolved: boolean
  /** Since when it has been waiting for a permit: its place in line. Null while it isn't. */
  readonly blockedSince: Instant | null
  /** The key of the permit that it waits for. */
  readonly blockedBy: string | null
  /** Registration control; absent where there is none. */
  readonly registration?: Registration | null
}

/** The demand that an invocation is entered for: `reg:…`, or null until its parameters are known. */
export interface Registration {
  readonly key: string | null
}

/** What a parked invocation waits for; absent for a plain timer (`notBefore`). */
export type Wait =
  | {
      readonly kind: 'signal'
      readonly name: string
      readonly correlation: string | null
      /** Where it goes on when `notBefore` comes first: the timeout port, or the failure. */
      readonly onTimeout: 'port' | 'fail'
      /** So many web calls of its own address are what it waits for; absent where it waits for a signal. */
      readonly calls?: number
      /** So many signals, which are handed on as a list; absent where it waits for one, which is handed on itself. */
      readonly count?: number
      /** What they carried, once all are there and an attempt is to make a list of it; absent before. */
      readonly collected?: readonly Payload[]
    }
  /** The items of a map: one scope of its body per item, `limit` of them open at a time. */
  | {
      readonly kind: 'items'
      readonly items: Payload
      readonly count: number
      readonly limit: number
      /** How many may fail before the map does. */
      readonly tolerated: number
      /** Whether it gives an object by the keys of its items; absent for a list. */
      readonly isObject?: boolean
    }
  /** One turn of a loop's body. */
  | {
      readonly kind: 'turn'
      readonly iteration: number
      readonly value: Payload
      /** When its body begins, while it waits for that; absent for a turn that is under way. */
      readonly opensAt?: Instant
      /** The circuit breaker that let it in and is to hear how it goes; absent for other boxes. */
      readonly circuit?: CircuitVisit
      /** A step inside of it left it; absent while none did. What is under way in it comes to an end then. */
      readonly left?: LeftTurn
    }
  /** Branches of a join that haven't come; late once it goes on without them. */
  | { readonly kind: 'join'; readonly isLate?: boolean }
  /** Another run, that of a sub-workflow. */
  | { readonly kind: 'run'; readonly runId: RunId }
  /** An invocation that does the same already. */
  | { readonly kind: 'reuse'; readonly invocationId: InvocationId }
  /** A person; the status is APPROVAL_REQUIRED then. */
  | ApprovalWait
  /** The rollback of its run, which may never come: a compensation that is recorded and no more. */
  | ({ readonly kind: 'rollback' } & Undoes)

/** How a turn of a loop was left before its end. */
export interface LeftTurn {
  /** Whether the loop is over, or its next turn is next. */
  readonly how: 'break' | 'continue'
  /** The step that left it. */
  readonly by: NodeId
  /** What the loop goes on with. */
  readonly value: Payload
}

/** What a compensation undoes. */
export interface Undoes {
  /** The step. */
  readonly of: InvocationId
  /** Where the step stands in the order in which steps ended, from 1; the last one is undone first. */
  readonly place: number
  /** Whether nobody knows if the step had its effect: it was ended before it could tell. */
  readonly uncertain: boolean
}

/** The same once the rollback has come to it. */
export interface Undoing extends Undoes {
  /** When it did: its total time counts from here. */
  readonly since: Instant
  /** When the rollback itself began. */
  readonly begunAt: Instant
}

/** What happened to an invocation on its way through runners; absent while nothing did. */
export interface Dispatch {
  /** Set with the first claim and kept across reroutes: the dispatch timeout counts from here. */
  readonly firstClaimedAt: Instant | null
  /** Scheduling attempts that found nobody able: beyond the cap it fails. */
  readonly schedulingAttempts: number
  /** Somebody else is to try first, if there is somebody. */
  readonly lastFailedRunner: RunnerId | null
  /** A request that the owner answers by PAUSED, or by RESUMED. */
  readonly pauseRequestedAt: Instant | null
  /** When the owner last said that the work goes on, for kinds with a heartbeat timeout. */
  readonly beatAt: Instant | null
  /** Found unclaimable: when to ask again whether somebody can do it; absent while it never was. */
  readonly lookAgainAt?: Instant | null
  /** What somebody who had the run go on put in the place of what arrives; absent while nobody did. */
  readonly input?: Payload | null
  /** What a pause set aside, for the resume to put back; absent while nothing is. */
  readonly held?: Held | null
  /** Of a resumed attempt: when it would have begun had it never stood still; else of no meaning. */
  readonly workingSince?: Instant
  /** When the run stopped before it, because of a breakpoint or after a step; absent while it didn't. */
  readonly brokeAt?: Instant
  /** Whether a breakpoint that stops another time has counted it; absent where none has. */
  readonly wentBy?: boolean
  /** Whether it goes on in a run that stands still; absent or false for what stands still with it. */
  readonly stepped?: boolean
  /** What a compensation undoes, from the moment when it waits for the rollback no longer; else absent. */
  readonly undoes?: Undoing | null
  /** A step that can be undone had an attempt whose effect nobody knows; absent while it hadn't. */
  readonly hadUnknownEffect?: boolean
  /** How it was decided the last time that somebody was asked; absent while nobody was. */
  readonly approval?: ApprovalDecision
  /** What the safety kernel said the last time; absent while it had nothing to say but that it goes on. */
  readonly policy?: PolicyRuling
  /** What the output policy said about the result; absent while it found nothing. */
  readonly check?: OutputCheck | null
  /** The messages of the web calls, or of the several signals, that it went on with: whoever sends one again is told. */
  readonly heard?: readonly string[]
  /** What people know the items of a map by, as a list of texts; absent where that is their number. */
  readonly keys?: Payload
  /** A list of what tells the items of a map apart; absent where nobody takes any over when it begins anew. */
  readonly digests?: Payload
  /** The items of a map whose results an earlier generation of its run gave; absent where none did. */
  readonly taken?: readonly TakenItems[]
  /** Whose result it took over instead of running; absent for a step that ran. */
  readonly reused?: Reused
  /** That it ended its run, because of what it gave; absent for a step that didn't. */
  readonly stopped?: StoppedAfter
}

/** Why a step ended its run. */
export interface StoppedAfter {
  /** What was true, as people wrote it. */
  readonly condition: string
  readonly status: 'succeeded' | 'failed' | 'cancelled'
}

/** A result of an earlier run. */
export interface Reused {
  /** The step that gave it. */
  readonly from: InvocationId
  /** When it did. */
  readonly at: Instant
}

/** What a pause set aside. */
export interface Held {
  readonly notBefore: Instant | null
  readonly waitReason: WaitReason | null
  /** What is left of the attempt's time; null when it has no bound. */
  readonly remainingMs: Millis | null
  /** How long the attempt has worked by now; absent where none was under way. */
  readonly workedMs?: Millis
}

/** A time-bounded ownership. */
export interface Lease {
  readonly runnerId: RunnerId
  readonly fence: Fence
  readonly expiresAt: Instant
}

export interface InvocationRecord {
  readonly id: InvocationId
  readonly runId: RunId
  readonly nodeId: NodeId
  /** The node's task kind, copied so that a claim can filter without loading the definition. */
  readonly taskKind: string
  /** Grows when an operator runs again from this node: new idempotency keys. */
  readonly generation: number
  /** Loop and map path such as `each:3/while:0`; empty outside of them. */
  readonly path: string
  readonly role: 'forward' | 'compensation'
  readonly status: InvocationStatus
  /** Grows by one with every write of this record. */
  readonly version: number
  readonly priority: Priority
  readonly pool: string
  readonly tags: readonly string[]
  /** Set exactly while the status is an owned one. */
  readonly lease: Lease | null
  /** The last fence given out for this invocation; stays after release. */
  readonly fence: Fence | null
  /** Attempts that reached RUNNING. */
  readonly attempt: number
  /** Attempts that ended for a reason of their own: counted against the retry limit. */
  readonly failureCount: number
  /** Runners lost while they owned it. */
  readonly crashCount: number
  readonly registeredAt: Instant
  /** Not to be claimed, or not to be woken, before this instant; null for at once. */
  readonly notBefore: Instant | null
  readonly startedAt: Instant | null
  /** The attempt's durable deadline; null when it has none or isn't running. */
  readonly deadlineAt: Instant | null
  readonly finishedAt: Instant | null
  /** A request that the owner answers: set while the work is still under way. */
  readonly cancelRequestedAt: Instant | null
  readonly waitReason: WaitReason | null
  readonly cause: Cause
  /** The resolved parameters of the latest attempt; null before the first one ended. */
  readonly input: Payload | null
  /** While WAITING: what it will hand on; after SUCCESS: what it handed on. */
  readonly output: Payload | null
  /** The ports that its end was delivered to; null for all output ports of a success, or before the end. */
  readonly ports: readonly string[] | null
  readonly error: ErrorRecord | null
  readonly route: Route | null
  readonly permits: PermitPlan | null
  readonly wait: Wait | null
  readonly dispatch: Dispatch | null
}
