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
  OutboxRecord,
  Register,
  SlotTake,
} from '../model/checkpoint.ts'
import type { EngineEvent, PartitionCursor } from '../model/event.ts'
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
import type { InvocationRecord } from '../model/invocation.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { Instant, Millis } from '../model/time.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'

/** What a store is and can; decided when it was opened. */
export interface StoreInfo {
  readonly id: StoreId
  readonly kind: string
  readonly partitions: readonly number[]
  /** Current epoch by partition. */
  readonly epochs: readonly number[]
  /** Whether another process may write to the same data. */
  readonly multiProcess: boolean
  /** Whether the last holder closed it; false means that what it owned may need recovery. */
  readonly cleanlyClosed: boolean
}

export interface ClaimRequest {
  readonly partition: number
  readonly runnerId: RunnerId
  /** At most this many; never more than the runner's free slots. */
  readonly limit: number
  readonly now: Instant
  readonly ttlMs: Millis
  readonly pools: readonly string[]
  /** Task kinds the runner knows. */
  readonly capabilities: readonly string[]
  /** A waiting invocation gains one priority step per this span. */
  readonly agingMs: Millis
}

/** A claimed invocation: its record is PENDING and owned, its event is written. */
export interface Claimed {
  readonly run: RunRecord
  readonly invocation: InvocationRecord
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

/** What a store can be asked to load; null (or an empty list) when there is no such thing. */
export interface LoadQueries {
  readonly run: { readonly input: { readonly runId: RunId }; readonly output: RunRecord | null }
  readonly runByRequest: { readonly input: { readonly requestId: string }; readonly output: RunRecord | null }
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
  readonly slotHolders: { readonly input: { readonly key: string }; readonly output: readonly SlotTake[] }
}

export interface RunFilter {
  readonly statuses: readonly RunStatus[] | null
  readonly workflowId: WorkflowId | null
}

/** What a store can be asked to list, newest first (registers by key), by page. `after` is the id a page ended with. */
export interface ListQueries {
  readonly runs: { readonly filter: RunFilter; readonly item: RunRecord }
  readonly runners: { readonly filter: null; readonly item: RunnerRecord }
  readonly workflowVersions: {
    readonly filter: { readonly workflowId: WorkflowId | null }
    readonly item: WorkflowVersion
  }
  readonly deadLetters: { readonly filter: null; readonly item: DeadLetter }
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
  /** A WAITING invocation whose not-before instant has passed. */
  | {
      readonly kind: 'wake'
      readonly runId: RunId
      readonly invocationId: InvocationId
      readonly dueAt: Instant
    }
  /** An owned invocation whose deadline has passed. */
  | {
      readonly kind: 'deadline'
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
  /** Brings the data to this version's form, after a backup; a newer form is refused (`store_too_new`). */
  migrate(): Promise<void>
  /**
   * Commits checkpoints of one partition; each is accepted or refused on its own, in order. Checkpoints
   * that arrive together share a transaction. Resolves when the answer is durable.
   */
  commit(partition: number, checkpoints: readonly Checkpoint[]): Promise<readonly CommitAnswer[]>
  /** Takes available invocations for a runner, most urgent first; each becomes PENDING with its event. */
  claim(request: ClaimRequest): Promise<readonly Claimed[]>
  /** Renews leases and the runner's heartbeat in one step. Writes no event: no status changes. */
  renew(request: RenewRequest): Promise<RenewAnswer>
  /** Owned invocations whose lease has run out, or whose runner is one of `deadRunners`. */
  listExpired(query: {
    readonly partition: number
    readonly now: Instant
    readonly deadRunners: readonly RunnerId[]
    readonly limit: number
  }): Promise<readonly InvocationRecord[]>
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
   * Calls `hint` when a partition may have new events, from this process or another. A hint may come too
   * often; reading is the truth. Returns the way to stop.
   */
  watch(partition: number, hint: () => void): () => void
  /** Stores bytes once by their sha256; durable before it resolves. Refuses more than `blobBytesMax`. */
  putBlob(bytes: Uint8Array): Promise<BlobHash>
  /** The bytes, checked against their hash; `blob_missing` when they are gone or damaged. */
  getBlob(hash: BlobHash): Promise<Uint8Array>
  close(): Promise<void>
}
