/**
 * The contract of UI, CLI and server with the engine: method → input and output. Inputs are checked by the
 * schema of the same name in `schema.ts`; outputs are trusted.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import type { Breakpoint } from '../model/breakpoint.ts'
import type { DeadLetter } from '../model/checkpoint.ts'
import type { FailoverSafety } from '../model/failover-safety.ts'
import type { DefinitionHash, InvocationId, NodeId, RunId, WorkflowId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { PartitionReach } from '../model/missing-partition.ts'
import type { Payload } from '../model/payload.ts'
import type { PoolChange } from '../model/pools.ts'
import type { Problem } from '../model/problem.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { RunnerRecord } from '../model/runner.ts'
import type { KeyProviderKind, SecretChange, SecretEntry, VaultState } from '../model/secret.ts'
import type { SettingReport } from '../model/settings/setting-report.ts'
import type { Instant } from '../model/time.ts'
import type { DefinitionSignature } from '../model/trust.ts'
import type { AtomicServiceStatus } from './atomic-service.ts'
import type { ClusterCheck, ClusterEntry } from './clusters.ts'
import type { CrashApi } from './crash.ts'
import type { DeadLetterPage, DeadLetterQuery, LetterReplay } from './dead-letters.ts'
import type { DebuggingApi } from './debugging.ts'
import type { DocumentApi } from './documents.ts'
import type { ExpressionApi } from './expressions.ts'
import type { DraftingApi } from './pictures.ts'
import type { PoolView } from './pools.ts'
import type { PushPreview } from './push.ts'
import type {
  BulkPage,
  BulkRequest,
  ControlRequest,
  ControlResult,
  EventAnswer,
  EventRequest,
  RerunRequest,
  RetryAnswer,
  RetryRequest,
  SignalAnswer,
  SignalRequest,
} from './run-control.ts'
import type { FamilyRequest, RunFamily } from './run-family.ts'
import type { RunCountsMethod, RunListQuery } from './run-search.ts'
import type { RunnerStanding } from './runner-standing.ts'
import type { SafetyApi } from './safety.ts'
import type { SealApi } from './sealing.ts'
import type { PublishedSecretUser, SecretsCheck, SecretsView, SecretUser } from './secrets.ts'
import type { RunSnapshot } from './snapshot.ts'
import type { StartingApi } from './starting.ts'
import type { TeleportApi } from './teleport.ts'
import type { TenantChange, TenantView } from './tenants.ts'
import type { TrustApi } from './trust.ts'
import type { WatchingApi } from './watching.ts'
import type { WhyWaiting } from './why-waiting.ts'

export interface EngineInfo {
  readonly version: string
  readonly storeId: string
  readonly storeKind: string
  readonly dataDirectory: string
  readonly process: { readonly pid: number; readonly node: string }
  readonly durability: 'strict' | 'relaxed'
  /** What a failover of the store's servers may cost; null for a store of this machine. */
  readonly safety: FailoverSafety | null
  /** Which partitions of the store answer; null where everything is one. */
  readonly reach: PartitionReach | null
  /** Runs that were recovered when this engine opened the store. */
  readonly recoveredCount: number
}

/** A workflow file known to the engine's workspace folder. */
export interface LibraryEntry {
  /** Absolute path. */
  readonly path: string
  /** By which steps and commands start it; null for a file that can't be opened. */
  readonly id: WorkflowId | null
  readonly title: string
  readonly modifiedAt: Instant
  /** Set when the file can't be opened; it is listed all the same. */
  readonly problem: string | null
}

export interface SampleEntry {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The workflow itself, to show what it looks like. */
  readonly document: JsonObject
}

/** A document as it lies on disk. */
export interface OpenedDocument {
  /** Absolute path; null for one that was never saved. */
  readonly path: string | null
  /** The parsed JSON, migrated to this version. */
  readonly document: JsonObject
  /** Identity of the file's content when it was read; given back on save to notice other writers. */
  readonly etag: string | null
}

export interface RunSummary {
  readonly run: RunRecord
  /** Node counts for a row of the list. */
  readonly counts: {
    readonly done: number
    readonly active: number
    readonly failed: number
    readonly total: number
  }
}

export interface EngineApi
  extends TeleportApi,
    SealApi,
    TrustApi,
    SafetyApi,
    DraftingApi,
    DebuggingApi,
    CrashApi,
    WatchingApi,
    StartingApi,
    DocumentApi,
    ExpressionApi {
  readonly 'engine.info': { readonly input: Record<string, never>; readonly output: EngineInfo }
  /** Every setting of the engine's process with its value, source, default and meaning. */
  readonly 'settings.list': {
    readonly input: Record<string, never>
    readonly output: { readonly settings: readonly SettingReport[]; readonly configFile: string }
  }
  readonly 'workflows.validate': {
    readonly input: { readonly document: JsonObject }
    readonly output: { readonly problems: readonly Problem[]; readonly hash: DefinitionHash | null }
  }
  /** The document of a published version: what a run was bound to. */
  readonly 'workflows.version': {
    readonly input: { readonly hash: DefinitionHash }
    readonly output: { readonly document: JsonObject; readonly publishedAt: Instant }
  }
  /** The versions of a workflow that were published, newest first. */
  readonly 'workflows.versions': {
    readonly input: { readonly workflowId: WorkflowId; readonly limit: number }
    readonly output: {
      readonly versions: readonly {
        readonly hash: DefinitionHash
        readonly title: string
        readonly publishedAt: Instant
      }[]
    }
  }
  /** What publishing the document would do; nothing is written. */
  readonly 'workflows.preview': {
    readonly input: { readonly document: JsonObject; readonly baseDirectory: string | null }
    readonly output: PushPreview
  }
  /** Publishes the version, and those that its steps start, without starting a run. */
  readonly 'workflows.publish': {
    readonly input: { readonly document: JsonObject; readonly baseDirectory: string | null }
    readonly output: { readonly hash: DefinitionHash; readonly isNew: boolean }
  }
  /** Keeps a signature with a published version, for runners that execute only what is signed. */
  readonly 'workflows.sign': {
    readonly input: { readonly hash: DefinitionHash; readonly signature: DefinitionSignature }
    readonly output: { readonly hash: DefinitionHash }
  }
  /** Publishes the version when it is new, then starts a run of it. The same `requestId` gives the same run. */
  readonly 'runs.start': {
    readonly input: {
      readonly document: JsonObject
      readonly input: JsonValue
      /** Folder that relative paths start from. */
      readonly baseDirectory: string | null
      readonly requestId: string | null
      /** Whom the run is for; `local` when absent. */
      readonly tenant?: string | undefined
      /** Who starts it; whoever sits at the engine's machine when absent. */
      readonly by?: string | undefined
      /** Where it stops before a step; nowhere when absent. */
      readonly breakpoints?: readonly Breakpoint[] | undefined
    }
    readonly output: { readonly runId: RunId; readonly hash: DefinitionHash }
  }
  readonly 'runs.cancel': {
    readonly input: { readonly runId: RunId }
    readonly output: { readonly status: RunStatus }
  }
  /**
   * Pauses, resumes or cancels runs, or a step of them, or skips a step. Requests are durable, and asking
   * again changes nothing; each run has its answer or its refusal, in the order given.
   */
  readonly 'runs.control': {
    readonly input: Omit<ControlRequest, 'runId'> & { readonly runIds: readonly RunId[] }
    readonly output: { readonly results: readonly ControlResult[] }
  }
  /** Hands a run a signal in one checkpoint; throws `run_already_final`, `signal_buffer_full`. */
  readonly 'signals.send': { readonly input: SignalRequest; readonly output: SignalAnswer }
  /** Tells an event to all runs that wait for it, or to one run; durable when it is answered. */
  readonly 'events.emit': { readonly input: EventRequest; readonly output: EventAnswer }
  /** Runs a run again: refused with `definition_mismatch` on another version unless that is asked for. */
  readonly 'runs.rerun': {
    readonly input: RerunRequest
    readonly output: { readonly runId: RunId; readonly hash: DefinitionHash }
  }
  /**
   * Has a run go on that failed, was cancelled, timed out or was denied: refused with `run_not_final`,
   * `run_not_retryable`, `nothing_to_retry`, `step_not_retryable`, `kept_results_do_not_fit`.
   */
  readonly 'runs.retry': { readonly input: RetryRequest; readonly output: RetryAnswer }
  /** Pauses, resumes, cancels, retries or runs again every run that a filter fits, newest first, a page per call. */
  readonly 'runs.bulk': { readonly input: BulkRequest; readonly output: BulkPage }
  readonly 'deadLetters.list': { readonly input: DeadLetterQuery; readonly output: DeadLetterPage }
  readonly 'deadLetters.get': { readonly input: { readonly id: string }; readonly output: DeadLetter }
  /** Starts the letter's run again, with an edited input where one is given, and takes the letter away. */
  readonly 'deadLetters.replay': {
    readonly input: LetterReplay
    readonly output: { readonly runId: RunId; readonly hash: DefinitionHash }
  }
  readonly 'deadLetters.discard': {
    readonly input: { readonly id: string; readonly by: string | null }
    readonly output: Record<string, never>
  }
  /** Forgets what is over its age or count, as the engine does by itself now and then. */
  readonly 'store.prune': {
    readonly input: Record<string, never>
    readonly output: { readonly runs: number; readonly blobs: number; readonly deadLetters: number }
  }
  readonly 'runs.list': {
    readonly input: RunListQuery
    /** A page may be short, or empty, and have a `next`: so many were looked at, and there are more. */
    readonly output: { readonly runs: readonly RunSummary[]; readonly next: RunId | null }
  }
  readonly 'runs.counts': RunCountsMethod
  readonly 'runs.get': { readonly input: { readonly runId: RunId }; readonly output: RunSnapshot }
  /** Who started a run, and a page of the runs that its steps started. */
  readonly 'runs.family': { readonly input: FamilyRequest; readonly output: RunFamily }
  /** The state as it was after the event of that sequence. */
  readonly 'runs.stateAt': {
    readonly input: { readonly runId: RunId; readonly seq: number }
    readonly output: RunSnapshot
  }
  /** What the steps that aren't at work wait for; nothing for a run that doesn't wait. */
  readonly 'runs.why': {
    readonly input: { readonly runId: RunId; readonly nodeId: NodeId | null }
    readonly output: { readonly waiting: readonly WhyWaiting[] }
  }
  readonly 'runs.attempts': {
    readonly input: { readonly runId: RunId; readonly invocationId: InvocationId | null }
    readonly output: readonly AttemptRecord[]
  }
  /** Decides a step that waits for a person because its runner died under it. */
  readonly 'invocations.resolve': {
    readonly input: {
      readonly runId: RunId
      readonly invocationId: InvocationId
      readonly decision:
        | { readonly kind: 'run-again' }
        | { readonly kind: 'take-as-done'; readonly output: JsonValue }
        | { readonly kind: 'fail' }
      /** Who decides; whoever sits at the engine's machine when absent. */
      readonly by?: string | undefined
    }
    readonly output: Record<string, never>
  }
  /** Pools with what works for them and what waits. */
  readonly 'pools.list': {
    readonly input: Record<string, never>
    readonly output: { readonly pools: readonly PoolView[] }
  }
  /**
   * Drains a pool, takes it out, puts it back, limits it, or maps topics to it; in effect on every runner
   * within seconds. What is not named stays as it is.
   */
  readonly 'pools.set': { readonly input: PoolChange; readonly output: { readonly pool: PoolView } }
  /** Tenants with what they use of their limits. */
  readonly 'tenants.list': {
    readonly input: Record<string, never>
    readonly output: { readonly tenants: readonly TenantView[] }
  }
  /** Limits what a tenant may have at once; in effect on every runner within seconds. */
  readonly 'tenants.set': {
    readonly input: TenantChange
    readonly output: { readonly tenant: TenantView }
  }
  /** Whose turn it is at the periodic chores, and how the last turns went. */
  readonly 'atomicService.status': {
    readonly input: { readonly limit: number }
    readonly output: AtomicServiceStatus
  }
  /** Every runner that joined the store, newest first; `now` is the engine's own clock. */
  readonly 'runners.list': {
    readonly input: Record<string, never>
    readonly output: {
      readonly runners: readonly RunnerRecord[]
      readonly now: Instant
      /** Of those that haven't stopped. */
      readonly standings: readonly RunnerStanding[]
    }
  }
  /**
   * What a run gave, or one of its steps. Without a result it throws why: `result_not_ready`,
   * `result_failed`, `result_none`.
   */
  readonly 'results.get': {
    readonly input: { readonly runId: RunId; readonly nodeId: NodeId | null; readonly path: string }
    readonly output: { readonly json: string }
  }
  /** The JSON text of a payload. */
  readonly 'payloads.get': {
    readonly input: { readonly payload: Payload }
    readonly output: { readonly json: string }
  }
  /** Secrets without their values, and whether the vault can be used. */
  readonly 'secrets.list': { readonly input: Record<string, never>; readonly output: SecretsView }
  /** Which steps and triggers of the library's workflows, and which newest versions, name which secrets. */
  readonly 'secrets.users': {
    readonly input: Record<string, never>
    readonly output: {
      readonly users: readonly SecretUser[]
      readonly published: readonly PublishedSecretUser[]
    }
  }
  /** Adds a secret or changes one; what is not named stays. Throws `bad_request` and `vault_*`. */
  readonly 'secrets.set': {
    readonly input: SecretChange
    readonly output: { readonly secret: SecretEntry }
  }
  readonly 'secrets.rename': {
    readonly input: { readonly from: string; readonly to: string }
    readonly output: { readonly secret: SecretEntry }
  }
  readonly 'secrets.remove': {
    readonly input: { readonly name: string }
    readonly output: Record<string, never>
  }
  readonly 'secrets.check': { readonly input: Record<string, never>; readonly output: SecretsCheck }
  /** Protects the vault by another key, and seals every value anew. */
  readonly 'secrets.protect': {
    readonly input: { readonly provider: KeyProviderKind; readonly passphrase: string | null }
    readonly output: { readonly vault: VaultState }
  }
  /** Opens a vault that has a passphrase, or chooses the passphrase of a new one. */
  readonly 'secrets.unlock': {
    readonly input: { readonly passphrase: string }
    readonly output: { readonly vault: VaultState }
  }
  readonly 'clusters.list': {
    readonly input: Record<string, never>
    readonly output: { readonly clusters: readonly ClusterEntry[] }
  }
  /** Adds a cluster, or changes the one of that name. */
  readonly 'clusters.put': { readonly input: ClusterEntry; readonly output: Record<string, never> }
  readonly 'clusters.remove': {
    readonly input: { readonly name: string }
    readonly output: Record<string, never>
  }
  /** Tries to connect to a name or an address. */
  readonly 'clusters.check': { readonly input: { readonly cluster: string }; readonly output: ClusterCheck }
  readonly 'library.list': { readonly input: Record<string, never>; readonly output: readonly LibraryEntry[] }
  readonly 'library.read': { readonly input: { readonly path: string }; readonly output: OpenedDocument }
  /**
   * Writes atomically. `etag` is what the document had when it was read (null: the file must not exist);
   * refused with `document_changed_on_disk` when the file is another by now.
   */
  readonly 'library.save': {
    readonly input: { readonly path: string; readonly document: JsonObject; readonly etag: string | null }
    readonly output: { readonly path: string; readonly etag: string }
  }
  readonly 'samples.list': { readonly input: Record<string, never>; readonly output: readonly SampleEntry[] }
  /** Copies a sample with its data into the workspace (or finds the copy) and opens it. */
  readonly 'samples.open': { readonly input: { readonly name: string }; readonly output: OpenedDocument }
}

export type Method = keyof EngineApi
export type InputOf<M extends Method> = EngineApi[M]['input']
export type OutputOf<M extends Method> = EngineApi[M]['output']
