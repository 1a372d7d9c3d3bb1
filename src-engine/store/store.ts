/**
 * The store contract. A store keeps records and is asked to be atomic; every rule about what may be
 * written lives in `model` and is applied by `validate-commit.ts`, which all stores share.
 *
 * Partitions: each call names one. SQLite and memory have exactly partition 0.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import type {
  Checkpoint,
  CommitAnswer,
  DeadLetter,
  DueQuery,
  DueRegisters,
  OutboxRecord,
  Register,
  SlotTake,
} from '../model/checkpoint.ts'
import type { EngineEvent, PartitionCursor } from '../model/event.ts'
import type { FailoverSafety } from '../model/failover-safety.ts'
import type { Fence } from '../model/fence.ts'
import type {
  BlobHash,
  DefinitionHash,
  InvocationId,
  RunId,
  RunnerId,
  StoreId,
  WorkflowId,
} from '../model/ids.ts'
import type { InvocationRecord, PermitPlan } from '../model/invocation.ts'
import type { InvocationStatus } from '../model/invocation-status.ts'
import type { MissingPartition } from '../model/missing-partition.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import type { ChainKind } from './event-chain.ts'
import type { GroupPage, GroupQuery } from './group-page.ts'
import type { Hint, HintTopic } from './hints.ts'
import type { PruneAnswer, PruneRequest } from './pruning.ts'
import type { RenewerAddress } from './renewer-address.ts'
import type { StoreSealing } from './store-sealing.ts'

/** What a store is and can; decided when it was opened. */
export interface StoreInfo {
  readonly id: StoreId
  readonly kind: string
  readonly partitions: readonly number[]
  /** Current epoch by partition. */
  readonly epochs: readonly number[]
  /** How the hashes of its events are made. */
  readonly chain: ChainKind
  /** Whether another process may write to the same data. */
  readonly multiProcess: boolean
  /** Whether the last holder closed it; false means that what it owned may need recovery. */
  readonly cleanlyClosed: boolean
  /** What the loss of a server may cost; null for a store that no server keeps. */
  readonly safety: FailoverSafety | null
  /** Where another thread can renew leases; null where only this store's own thread reaches the data. */
  readonly renewer: RenewerAddress | null
}

/** What a runner asks for: work that it may have. */
export interface FetchRequest {
  readonly partition: number
  readonly runnerId: RunnerId
  readonly limit: number
  readonly now: Instant
  readonly pools: readonly string[]
  /** Task kinds the runner knows, and whatever else a route may require of it. */
  readonly capabilities: readonly string[]
  /** `key=value`; a route's labels must all be among them. */
  readonly labels: readonly string[]
  /** A route's tags must all be among them; none, or absent, for a runner that takes work of any tags. */
  readonly tags?: readonly string[]
  /** The only definitions whose work the runner may have; null, or absent, for a runner that trusts all. */
  readonly definitions?: readonly DefinitionHash[] | null
  /** A waiting invocation gains one priority step per this span. */
  readonly agingMs: Millis
  /** How long others may have what the runner was the last to fail with; absent for not at all. */
  readonly leaveFailedMs?: Millis
  /**
   * What this process has decided on already, in a commit that isn't answered yet: it stands in its queue until then, and isn't
   * looked at. Absent for nothing.
   */
  readonly isUnderWay?: (id: InvocationId) => boolean
}

/** `limit` is never more than the runner's free slots. */
export interface ClaimRequest extends FetchRequest {
  readonly ttlMs: Millis
  /** What was fetched; others may have taken it meanwhile. Null for the most urgent there is. */
  readonly invocationIds: readonly InvocationId[] | null
  /** What was arranged for them elsewhere; whoever needs something else by now is left alone. Absent for nothing. */
  readonly prepared?: ReadonlyMap<InvocationId, PreparedClaim>
  /** What pools and tenants may do at once, as it is now; null (or absent) for no such limit. */
  readonly limits?: ClaimLimits | null
  /**
   * Takes as many of the runner's slots as are wanted and free, and tells how many: a store of several partitions asks
   * once it knows how much there is to claim. Absent where `limit` slots are taken already.
   */
  readonly reserve?: (wanted: number) => number
  /**
   * What of it the runner takes by a commit of its own, which begins it as well: it is left as it is, and told as `offered`.
   * A store that finds and claims in one step doesn't ask. Absent for none.
   */
  readonly takes?: (found: InvocationRecord) => boolean
}

/** Permits that were taken at their homes for an invocation as it was read. */
export interface PreparedClaim {
  readonly fence: InvocationRecord['fence']
  /** All that it needs, wherever their homes are. */
  readonly takes: readonly SlotTake[]
}

/** Limits that count where and for whom work is done, and so are known only when it is claimed. */
export interface ClaimLimits {
  /** Steps at work at once, by pool; a pool that isn't here has no limit. */
  readonly pools: Readonly<Record<string, number>>
  /** The same by tenant; null for a tenant without a limit. */
  readonly tenants: Readonly<Record<string, number | null>>
  /** For tenants that aren't named; null for no limit. */
  readonly otherTenants: number | null
}

/** A claimed invocation: its record is PENDING and owned, its event is written. */
export interface Claimed {
  readonly run: RunRecord
  readonly invocation: InvocationRecord
}

/** Available, but one of its permits is taken: nothing was done to it. */
export interface BlockedClaim {
  readonly invocation: InvocationRecord
  readonly key: string
  readonly holders: readonly string[]
  /** All that it was asked for, the permits of its pool and tenant included. */
  readonly plan: PermitPlan
}

export interface ClaimAnswer {
  readonly claimed: readonly Claimed[]
  /** What stood in front of, or among, the claimed; move it out of the way, or it is met again. */
  readonly blocked: readonly BlockedClaim[]
  /** Found and not claimed, because the runner takes it itself; they count among its slots. Absent for none. */
  readonly offered?: readonly InvocationRecord[]
  /** Until then a look may pass by what of it comes to nothing; absent where each look finds that. */
  readonly restsUntil?: Instant
}

export interface RenewRequest {
  readonly partition: number
  /** The runner's own row; its heartbeat is renewed in the same step. */
  readonly runner: RunnerRecord
  readonly leases: readonly { readonly invocationId: InvocationId; readonly fence: Fence }[]
  /** The new absolute expiry of each lease. */
  readonly expiresAt: Instant
}

export interface RenewAnswer {
  /** Leases that are no longer this runner's: it must stop working on them. */
  readonly lost: readonly InvocationId[]
  /** Owned invocations for which somebody asked to cancel. */
  readonly cancelRequested: readonly InvocationId[]
}

/** How much work is owned by one runner, or waits, with the same pools. */
export interface WorkCount {
  /** Null for work that waits. */
  readonly owner: RunnerId | null
  /** Pools that may run it, as its route has them. */
  readonly pools: readonly string[]
  readonly count: number
}

/** What a store can be asked to load; null (or an empty list) when there is no such thing. */
export interface LoadQueries {
  readonly run: { readonly input: { readonly runId: RunId }; readonly output: RunRecord | null }
  readonly runByRequest: { readonly input: { readonly requestId: string }; readonly output: RunRecord | null }
  /** How many runs there are by status; statuses that no run has are left out. */
  readonly runCounts: {
    readonly input: Pick<RunFilter, 'workflowId' | 'includeCore'>
    readonly output: ReadonlyMap<RunStatus, number>
  }
  /** All invocations of a run, in order of registration. */
  readonly invocations: {
    readonly input: { readonly runId: RunId }
    readonly output: readonly InvocationRecord[]
  }
  readonly invocation: {
    readonly input: { readonly invocationId: InvocationId }
    readonly output: InvocationRecord | null
  }
  /** Attempts of one invocation by number, or of the whole run. */
  readonly attempts: {
    readonly input: { readonly runId: RunId; readonly invocationId: InvocationId | null }
    readonly output: readonly AttemptRecord[]
  }
  readonly workflowVersion: {
    readonly input: { readonly hash: DefinitionHash }
    readonly output: WorkflowVersion | null
  }
  readonly register: { readonly input: { readonly key: string }; readonly output: Register | null }
  /** Registers of the partition whose instant has come. */
  readonly dueRegisters: { readonly input: DueQuery; readonly output: DueRegisters }
  /** Who holds permits of the key, or this one alone. */
  readonly slotHolders: {
    readonly input: { readonly key: string; readonly holder?: string }
    readonly output: readonly SlotTake[]
  }
  /** Who waits for a permit of the key, most urgent and then longest waiting first. */
  readonly permitWaiters: {
    readonly input: { readonly key: string; readonly limit: number }
    readonly output: {
      readonly invocations: readonly InvocationRecord[]
      readonly runs: readonly RunRecord[]
    }
  }
  /** What runners own now, or (`waiting`) what is available or in line for a permit, counted. */
  readonly workCounts: {
    readonly input: { readonly what: 'owned' | 'waiting' }
    readonly output: readonly WorkCount[]
  }
  readonly deadLetter: { readonly input: { readonly id: string }; readonly output: DeadLetter | null }
  readonly runner: { readonly input: { readonly runnerId: RunnerId }; readonly output: RunnerRecord | null }
  /** The place of the partition's newest event; sequence 0 while it has none in its epoch. */
  readonly feedEnd: { readonly input: Readonly<Record<string, never>>; readonly output: PartitionCursor }
}

export interface RunFilter {
  readonly statuses: readonly RunStatus[] | null
  readonly workflowId: WorkflowId | null
  /** Whether the engine's own runs (workflow ids that begin with `core.`) are listed too. */
  readonly includeCore: boolean
}

/** A key of a counted set of permits with everybody who holds one or waits for one. */
export interface PermitUse {
  readonly key: string
  readonly holders: readonly SlotTake[]
  readonly waiting: number
}

/** What a store can be asked to list, newest first (registers by key), by page. `after` is the id a page ended with. */
export interface ListQueries {
  readonly runs: { readonly filter: RunFilter; readonly item: RunRecord }
  readonly runners: { readonly filter: null; readonly item: RunnerRecord }
  readonly workflowVersions: {
    readonly filter: { readonly workflowId: WorkflowId | null }
    readonly item: WorkflowVersion
  }
  readonly deadLetters: {
    readonly filter: {
      readonly reason: string | null
      readonly workflowId: WorkflowId | null
      readonly runId: RunId | null
    }
    readonly item: DeadLetter
  }
  /** Invocations of these statuses, none of them final; oldest first, as they were registered. */
  readonly work: {
    readonly filter: { readonly statuses: readonly InvocationStatus[]; readonly pool: string | null }
    readonly item: InvocationRecord
  }
  /** Waiting invocations that a signal of this name may be for; oldest first, as they were registered. */
  readonly signalWaiters: { readonly filter: { readonly name: string }; readonly item: InvocationRecord }
  readonly permits: { readonly filter: { readonly prefix: string }; readonly item: PermitUse }
  readonly outbox: { readonly filter: { readonly dueBefore: Instant }; readonly item: OutboxRecord }
  readonly registers: { readonly filter: { readonly prefix: string }; readonly item: Register }
}

export interface Page {
  readonly after: string | null
  readonly limit: number
}

export interface EventQuery {
  readonly after: PartitionCursor
  /** Only the events of one run. */
  readonly runId: RunId | null
  /** Only events up to and including this sequence of the current epoch; null for the newest. */
  readonly until: number | null
  readonly limit: number
}

/** A due instant: what it is due for decides what happens. */
export type DueItem =
  /** A WAITING or APPROVAL_REQUIRED invocation whose not-before instant has passed. */
  | {
      readonly kind: 'wake'
      readonly runId: RunId
      readonly invocationId: InvocationId
      readonly dueAt: Instant
    }
  /** A run that isn't final and whose deadline has passed. */
  | { readonly kind: 'run-deadline'; readonly runId: RunId; readonly dueAt: Instant }

export interface DueAnswer {
  readonly due: readonly DueItem[]
  /** The next instant at which `listDue`, or a claim of something not yet available, has news. */
  readonly nextAt: Instant | null
}

export interface Store {
  readonly info: StoreInfo
  /** Absent where values are written as they are. */
  readonly sealing?: StoreSealing
  /** Brings the data to this version's form, after a backup; a newer form is refused (`store_too_new`). */
  migrate(): Promise<void>
  /**
   * Commits checkpoints of one partition; each is accepted or refused on its own, in order. Checkpoints
   * that arrive together share a transaction. Resolves when the answer is durable.
   */
  commit(partition: number, checkpoints: readonly Checkpoint[]): Promise<readonly CommitAnswer[]>
  /** What the runner could claim, most urgent first. Reserves nothing: others may take it meanwhile. */
  fetch(request: FetchRequest): Promise<readonly InvocationRecord[]>
  /**
   * Takes available invocations for a runner, most urgent first, each with all of its permits; each becomes
   * PENDING with its event. What it may not have (any more) is left out; what a permit holds up is told.
   */
  claim(request: ClaimRequest): Promise<ClaimAnswer>
  /** Renews leases and the runner's heartbeat in one step. Writes no event: no status changes. */
  renew(request: RenewRequest): Promise<RenewAnswer>
  /** Owned invocations whose lease has run out, or whose runner is one of `deadRunners`. */
  listExpired(query: {
    readonly partition: number
    readonly now: Instant
    readonly deadRunners: readonly RunnerId[]
    readonly limit: number
  }): Promise<readonly InvocationRecord[]>
  /** What is due, earliest first; where the limit leaves some over, each kind has its share of it. */
  listDue(query: {
    readonly partition: number
    readonly now: Instant
    readonly limit: number
  }): Promise<DueAnswer>
  load<Kind extends keyof LoadQueries>(
    partition: number,
    kind: Kind,
    input: LoadQueries[Kind]['input'],
  ): Promise<LoadQueries[Kind]['output']>
  list<Kind extends keyof ListQueries>(
    partition: number,
    kind: Kind,
    query: { readonly filter: ListQueries[Kind]['filter']; readonly page: Page },
  ): Promise<readonly ListQueries[Kind]['item'][]>
  readEvents(query: EventQuery): Promise<readonly EngineEvent[]>
  /**
   * The same for those who hand events on, in the groups that the store keeps, without reading or hashing them; what
   * this store object wrote just now is at hand. Null when they can't be had so now; absent where they never can.
   */
  readGroups?(query: GroupQuery): Promise<GroupPage | null>
  /**
   * Calls `hint` when a partition may have new events, and tells whether this store object wrote them or
   * somebody else, and what they may be news of; with the topic `news` only when they are. A hint may come too
   * often, and one of others' news may get lost; reading is the truth. Returns the way to stop.
   */
  watch(partition: number, hint: Hint, topic?: HintTopic): () => void
  /** Stores bytes once by their sha256; durable before it resolves. Refuses more than `blobBytesMax`. */
  putBlob(bytes: Uint8Array): Promise<BlobHash>
  /** Removes blobs at once, whoever names them. Those that aren't there are passed over, so it may be repeated. */
  dropBlobs(hashes: readonly BlobHash[]): Promise<void>
  /** Removes, in small slices, final runs that ended before an instant or beyond the newest `keep`, but none that a dead letter or an open run names. */
  prune(request: PruneRequest): Promise<PruneAnswer>
  /** Puts right what a crash left between partitions, and tells how much; absent where everything is one partition. */
  repair?(now: Instant): Promise<number>
  /** The same for the permits of a key that others wait for, as far as it can be done at once; `now` is of a clock that doesn't jump. */
  releaseLeft?(key: string, now: Millis): Promise<number>
  /** Resolves when what can be read of a run, or of what is no run's (null), is as safe as what was acknowledged; absent where it always is. */
  confirm?(runId: RunId | null): Promise<void>
  /** What it gives resolves once a failover takes back nothing of what was written by then; false where it did. Absent where none does. */
  readonly watchLosses?: () => () => Promise<boolean>
  /** What answers over all partitions leave out now, for it can't be reached (to ask for one thing there throws); absent where everything is one. */
  readonly missing?: () => readonly MissingPartition[]
  /** The partitions that a run is best begun in now, asked once for each; all are as good where there are none, or this is absent. */
  readonly beginIn?: () => ReadonlySet<number>
  /** The password as it is now, for whoever renews leases from elsewhere; absent where none is needed. */
  readonly renewerPassword?: () => Promise<string | null>
  /** The bytes, checked against their hash; `blob_missing` when they are gone or damaged. */
  getBlob(hash: BlobHash): Promise<Uint8Array>
  close(): Promise<void>
}
