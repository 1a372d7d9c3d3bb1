/**
 * The engine as a service: runs workflows on a store. No transport, no files of documents, no window; the
 * shell adds those. Composed by `createEngine` in `create-engine.ts`.
 */

import type { CrashNote } from '../core/control/note-crash.ts'
import type { AttemptRecord, LogLine } from '../model/attempt.ts'
import type { Breakpoint } from '../model/breakpoint.ts'
import type { DefinitionHash, InvocationId, RunId, RunnerId } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import type { AtomicServiceStatus } from '../protocol/atomic-service.ts'
import type { BreakpointsRequest, ForkAnswer, ForkRequest } from '../protocol/debugging.ts'
import type { ExpressionPreview } from '../protocol/expressions.ts'
import type {
  ControlAnswer,
  ControlRequest,
  EventAnswer,
  EventRequest,
  RerunRequest,
  RetryAnswer,
  RetryRequest,
  SignalAnswer,
  SignalRequest,
} from '../protocol/run-control.ts'
import type { RunSnapshot } from '../protocol/snapshot.ts'
import type { Store } from '../store/store.ts'
import type { ApprovalDesk } from './approvals/approval-desk.ts'
import type { AuditDesk } from './audit/audit-desk.ts'
import type { Circuits } from './circuits/circuits.ts'
import type { PowerHint } from './clock/lease-gate.ts'
import type { DeadLetters } from './dead-letters/dead-letter-desk.ts'
import type { FeedRequest } from './event-feed.ts'
import type { FileWatcher } from './file-watch/folder-watching.ts'
import type { OutputDesk } from './output-policy/output-desk.ts'
import type { TenantDesk } from './permits/tenant-desk.ts'
import type { PolicyDesk } from './policy/policy-desk.ts'
import type { PoolDesk } from './pools/pool-desk.ts'
import type { Publishing } from './publishing.ts'
import type { Results } from './results.ts'
import type { Pruner } from './retention/retention.ts'
import type { SagaDesk } from './saga/saga-desk.ts'
import type { StreamWatcher } from './streams/stream-watching.ts'
import type { TriggerDesk } from './triggers/trigger-desk.ts'
import type { WebhookDesk } from './webhooks/webhook-desk.ts'

export interface StartRequest {
  readonly document: WorkflowDocument
  readonly input: JsonValue
  readonly baseDirectory: string | null
  readonly requestId: string | null
  /** Whom it is for; `local` when absent. */
  readonly tenant?: string | undefined
  /** Who starts it; null or absent when nobody told. */
  readonly by?: string | null | undefined
  /** Where it stops before a step; nowhere when absent. */
  readonly breakpoints?: readonly Breakpoint[] | undefined
  /** For a run that repeats another one; absent for a run of its own. */
  readonly again?: Pick<RunRecord, 'origin' | 'priority' | 'tags' | 'cause'>
}

export type ResolveDecision = (
  | { readonly kind: 'run-again' }
  | { readonly kind: 'take-as-done'; readonly output: JsonValue }
  | { readonly kind: 'fail' }
) & {
  /** Who decides; nobody told when absent. */
  readonly by?: string
}

/** A line that a running task printed just now. */
export interface LiveLine {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly line: LogLine
}

/** What the history of a run is to say of a crash. */
export interface CrashNoteRequest {
  readonly runId: RunId
  readonly note: CrashNote
  /** Of the wish: who asks. Of the rest: which runner. */
  readonly by: string
  /** Of the wish the moment; of the death its instant, in ms. */
  readonly detail: string | null
}

export interface EngineLoad {
  readonly slots: number
  readonly taken: number
  /** Attempts under way. */
  readonly active: number
}

export interface Engine {
  readonly store: Store
  /** How busy this process is. */
  readonly load: () => EngineLoad
  /** How many invocations of dead runners were recovered at the start. */
  readonly recoveredCount: number
  /** The instant by the engine's clock. */
  readonly now: () => Instant
  /** Starts claiming and the services; recovers first what dead processes of this host owned. */
  start(): Promise<void>
  /** Hands back what isn't finished within the grace time and stops. Legal twice. */
  stop(): Promise<void>
  /** Publishes the version if it is new and starts a run of it. Throws `document_invalid`, `input_invalid`. */
  startRun(request: StartRequest): Promise<{ readonly runId: RunId; readonly hash: DefinitionHash }>
  /** The system is about to sleep, or woke up; where nobody tells, the clocks do. */
  powerHint(hint: PowerHint): void
  /** Resolves when a step timed out and `stop_worker_on_timeout` says that its runner ends with it. */
  readonly stopWanted: Promise<void>
  /** Whose turn it is at the periodic chores, with as many of the last turns. */
  readonly atomicService: (turnsMax: number) => Promise<AtomicServiceStatus>
  /** Who this process is among the runners of the store. */
  readonly runnerId: RunnerId
  /**
   * Takes no new work; resolves when what is under way has ended, or when the signal aborts. `stop` then
   * hands back what is left.
   */
  drain(signal: AbortSignal): Promise<void>
  /** Requests the cancel; the status says whether it has already taken effect. */
  cancelRun(runId: RunId): Promise<RunStatus>
  /** What waits for people, and what they say of it. */
  readonly approvals: ApprovalDesk
  /** Who decided what, over all runs. */
  readonly audit: AuditDesk
  /** Rollbacks, and what people decide about them. */
  readonly saga: SagaDesk
  readonly deadLetters: DeadLetters
  /** The circuit breakers of steps. */
  readonly circuits: Pick<Circuits, 'list' | 'reset'>
  /** Published webhooks; a shell listens for their calls. */
  readonly webhooks: WebhookDesk
  /** Folders that published triggers watch; nothing is watched until somebody starts it. */
  readonly folders: FileWatcher
  /** Streams that published triggers read; none is read until somebody starts it. */
  readonly streams: StreamWatcher
  /** Results that are held back, and the policy that says which. */
  readonly outputs: OutputDesk
  readonly pruner: Pruner
  readonly publishing: Publishing
  readonly pools: PoolDesk
  readonly tenants: TenantDesk
  readonly policy: PolicyDesk
  /** What starts runs by itself, what it did, and the events that it heard. */
  readonly triggers: TriggerDesk
  /** Runs a run again as a new one. Throws `run_not_found`, `definition_mismatch`, and what a start throws. */
  rerun(request: RerunRequest): Promise<{ readonly runId: RunId; readonly hash: DefinitionHash }>
  /** Makes a run that goes on from an instant of another one. Throws what a retry throws, and `trial_needs_more`. */
  forkRun(request: ForkRequest): Promise<ForkAnswer>
  /** Has a run stop elsewhere. Throws `run_not_found`, `run_already_final`. */
  setBreakpoints(request: BreakpointsRequest): Promise<readonly Breakpoint[]>
  /** Has an ended run go on from what failed, or from a step of choice, under its next generation. */
  retryRun(request: RetryRequest): Promise<RetryAnswer>
  /**
   * Asks for a pause, a resume, a cancel or a skip, durably; with `wait`, resolves once it is in effect.
   * Throws `run_already_final`, `step_already_final`, `invocation_not_found`, `run_paused`.
   */
  controlRun(request: ControlRequest): Promise<ControlAnswer>
  /** Writes into a run's history that its worker is to die, or has died. Throws `run_not_found`. */
  noteCrash(request: CrashNoteRequest): Promise<void>
  /** Hands a run a signal, durably. Throws `run_already_final`, `signal_buffer_full`. */
  sendSignal(request: SignalRequest): Promise<SignalAnswer>
  /** Tells an event to the runs that wait for it, or to one run; durable when it resolves. */
  emitEvent(request: EventRequest): Promise<EventAnswer>
  resolveInvocation(runId: RunId, invocationId: InvocationId, decision: ResolveDecision): Promise<void>
  /** Resolves with the final record. */
  waitForRun(runId: RunId, signal?: AbortSignal): Promise<RunRecord>
  /** What a run gave, or one of its steps; throws `result_not_ready`, `result_failed`, `result_none`. */
  readonly results: Results
  snapshot(runId: RunId): Promise<RunSnapshot>
  stateAt(runId: RunId, seq: number): Promise<RunSnapshot>
  attempts(runId: RunId, invocationId: InvocationId | null): Promise<readonly AttemptRecord[]>
  version(hash: DefinitionHash): Promise<WorkflowVersion>
  /**
   * Events after the cursor, in order and without gaps, of one run or of all; then every new one. Batches
   * are at most `eventBatchMax`. Returns the way to stop.
   */
  follow(request: FeedRequest): () => void
  /** What running tasks of this process print. */
  onLive(receive: (line: LiveLine) => void): () => void
  /** What attempts of the run, or of all, that are under way in this process have printed until now. */
  liveSoFar(runId: RunId | null): readonly LiveLine[]
  previewExpression(
    preview: ExpressionPreview,
  ): Promise<
    | { readonly kind: 'value'; readonly value: JsonValue }
    | { readonly kind: 'no-data' }
    | { readonly kind: 'problem'; readonly message: string; readonly position: number | null }
  >
}
