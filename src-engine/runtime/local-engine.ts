/** The engine of this process: the services behind one door. */

import type { Decision } from '../core/draft.ts'
import type { AttemptRecord } from '../model/attempt.ts'
import { SagasmithError } from '../model/errors.ts'
import type { DefinitionHash, InvocationId, RunId, RunnerId } from '../model/ids.ts'
import { runId as asRunId } from '../model/ids.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'
import type { WorkflowVersion } from '../model/workflow-version.ts'
import type { ExpressionPreview } from '../protocol/expressions.ts'
import type {
  ControlAnswer,
  ControlRequest,
  EventAnswer,
  EventRequest,
  SignalAnswer,
  SignalRequest,
} from '../protocol/run-control.ts'
import type { RunSnapshot } from '../protocol/snapshot.ts'
import type { Store } from '../store/store.ts'
import { createApprovalDesk } from './approvals/desk.ts'
import { resolveEffect } from './approvals/resolve-effect.ts'
import { startedBy } from './approvals/starters.ts'
import { createAuditDesk } from './audit/audit-desk.ts'
import type { PowerHint } from './clock/lease-gate.ts'
import { changeBreakpoints } from './controls/breakpoints.ts'
import { requestCancel } from './controls/cancel.ts'
import { writeCrashNote } from './controls/crash-notes.ts'
import { createForks } from './controls/forks.ts'
import { createReruns } from './controls/reruns.ts'
import { createRetries } from './controls/retries.ts'
import { createPublishing } from './create-publishing.ts'
import type { DeadLetters } from './dead-letters/dead-letter-desk.ts'
import { createDeadLetters } from './dead-letters/dead-letters.ts'
import type { Engine, EngineLoad, LiveLine, ResolveDecision, StartRequest } from './engine.ts'
import type { EngineParts } from './engine-parts.ts'
import type { FeedRequest } from './event-feed.ts'
import { followEvents } from './event-feed.ts'
import { createEngineFolders } from './file-watch/file-watcher.ts'
import { takeLeft } from './outbox/outbox.ts'
import { createOutputDesk } from './output-policy/create-output-desk.ts'
import type { TenantDesk } from './permits/tenant-desk.ts'
import type { PoolDesk } from './pools/pool-desk.ts'
import { requestPart } from './published-version.ts'
import type { Publishing } from './publishing.ts'
import { readBounds } from './read-bounds.ts'
import { createResults } from './results.ts'
import { createPruner } from './retention/pruner.ts'
import type { Pruner } from './retention/retention.ts'
import type { RunWaiters } from './run-waiters.ts'
import { createRunWaiters } from './run-waiters.ts'
import { createSagaDesk } from './saga/create-saga-desk.ts'
import { startAlone } from './start-alone.ts'
import { knownRun } from './starting/known-run.ts'
import { newRunId } from './starting/new-run-id.ts'
import { createEngineStreams } from './streams/stream-watcher.ts'
import { createEngineWebhooks } from './webhooks/engine-webhooks.ts'

const noCircuits: Engine['circuits'] = { list: async () => [], reset: async () => {} }

export class LocalEngine implements Engine {
  readonly #parts: EngineParts
  readonly #waiters: RunWaiters
  readonly rerun: Engine['rerun']
  readonly atomicService: Engine['atomicService']
  readonly retryRun: Engine['retryRun']
  readonly forkRun: Engine['forkRun']
  readonly setBreakpoints: Engine['setBreakpoints']
  readonly noteCrash: Engine['noteCrash']
  readonly approvals: Engine['approvals']
  readonly audit: Engine['audit']
  readonly saga: Engine['saga']
  readonly outputs: Engine['outputs']
  readonly deadLetters: DeadLetters
  readonly pruner: Pruner
  readonly publishing: Publishing
  readonly webhooks: Engine['webhooks']
  readonly circuits: Engine['circuits']
  readonly folders: Engine['folders']
  readonly streams: Engine['streams']
  readonly results: Engine['results']
  readonly pools: PoolDesk
  readonly tenants: TenantDesk
  readonly policy: Engine['policy']
  readonly triggers: Engine['triggers']
  #recoveredCount = 0
  #started = false
  #stopping: Promise<void> | null = null

  constructor(parts: EngineParts) {
    this.#parts = parts
    const { store, partition, clock, log, book, slots } = parts.dependencies
    // Decided to end, and not written yet, it is still this process that will tell.
    const isUnderWay = (runId: RunId): boolean => book.cachedState(runId, 'ahead') !== null
    this.#waiters = createRunWaiters({ store, partition, clock, log, isUnderWay })
    const reruns = createReruns(parts, (request) => this.startRun(request))
    this.approvals = createApprovalDesk(parts)
    this.audit = createAuditDesk({ store, partition, payloads: parts.payloads })
    this.saga = createSagaDesk(parts)
    this.pools = parts.pools
    this.tenants = parts.tenants
    this.policy = parts.dependencies.policy.desk
    this.triggers = parts.triggers.desk
    this.deadLetters = createDeadLetters(parts, reruns, this.saga)
    this.rerun = (request) => reruns.rerun(request)
    this.atomicService = parts.atomicService
    const retries = createRetries(parts)
    this.retryRun = retries.retry
    this.forkRun = createForks(parts, retries).fork
    this.noteCrash = (request) => writeCrashNote(parts, request)
    this.setBreakpoints = (request) => changeBreakpoints(parts, request)
    this.outputs = createOutputDesk(parts, { retry: this.retryRun })
    this.results = createResults(parts.dependencies.store, parts.dependencies.partition, parts.definitions)
    this.pruner = createPruner(parts, this.deadLetters)
    this.publishing = createPublishing(parts)
    this.webhooks = createEngineWebhooks(parts, this)
    this.circuits = parts.dependencies.executor.circuits ?? noCircuits
    this.folders = createEngineFolders(parts)
    this.streams = createEngineStreams(parts)
    book.onCommitted((decision) => this.#committed(decision))
    slots.onFree(() => parts.claimer.slotFreed())
  }

  get store(): Store {
    return this.#parts.dependencies.store
  }

  load(): EngineLoad {
    const { slots, executions } = this.#parts.dependencies
    return { slots: slots.total, taken: slots.total - slots.free(), active: executions.all().length }
  }

  now(): number {
    return this.#parts.dependencies.clock.now()
  }

  get recoveredCount(): number {
    return this.#recoveredCount
  }

  async start(): Promise<void> {
    if (this.#started || this.#stopping !== null) return
    this.#started = true
    const { heartbeat, recoverer, timers, claimer, dependencies } = this.#parts
    // The row first: what this runner claims must never look like nobody's.
    await heartbeat.beat()
    await dependencies.pools.refresh()
    await this.#parts.outputs.book.start()
    await this.#readLimits()
    await this.#meetOthers()
    if (dependencies.takesWhatItResumes) return startAlone(this.#parts)
    this.#recoveredCount = await recoverer.sweep()
    this.#parts.runner.open()
    this.#parts.dependencies.watch.start()
    heartbeat.start()
    recoverer.start()
    this.#parts.pauses.start()
    this.pruner.start()
    timers.start()
    for (const tick of this.#parts.ticks) tick.start()
    this.#parts.board.start()
    this.#parts.snapshot.start()
    this.#parts.drains.start()
    this.#parts.lines.start()
    // What a pool gives back to its runners is news for them.
    dependencies.pools.onChange(() => claimer.poke())
    claimer.start()
    // What a crash left between a decision and what it means for others.
    takeLeft(dependencies, this.#parts.outbox)
    await this.#parts.chores?.start()
  }

  /** Before any work is taken. */
  #readLimits(): Promise<void> {
    return readBounds(this.#parts.dependencies)
  }

  /** A warm start: what the list of runners says, and then what is seen. */
  async #meetOthers(): Promise<void> {
    const { board, snapshot } = this.#parts
    board.hydrate(await snapshot.read())
    await board.refresh()
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  get stopWanted(): Promise<void> {
    return this.#parts.dependencies.stopWanted.promise
  }

  powerHint(hint: PowerHint): void {
    this.#parts.dependencies.gate.hint(hint)
  }

  get runnerId(): RunnerId {
    return this.#parts.dependencies.runnerId
  }

  async drain(signal: AbortSignal): Promise<void> {
    if (!this.#started || this.#stopping !== null || signal.aborted) return
    const { claimer, runner, heartbeat } = this.#parts
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    await this.#parts.chores?.stop()
    claimer.stop()
    runner.drain()
    // Others see at once that this one takes no more.
    await heartbeat.beat()
    await Promise.race([this.#atRest(), aborted])
  }

  /** What was claimed or decided on the way still arrives. */
  async #atRest(): Promise<void> {
    const { runner, dependencies } = this.#parts
    const { slots, book } = dependencies
    do {
      await slots.allFree()
      await runner.drained()
      await book.idle()
    } while (slots.free() < slots.total)
  }

  async #stop(): Promise<void> {
    const { claimer, timers, recoverer, runner, heartbeat, dependencies } = this.#parts
    await this.#parts.chores?.stop()
    await this.#parts.triggers.stop()
    claimer.stop()
    this.#parts.lines.stop()
    timers.stop()
    for (const tick of this.#parts.ticks) tick.stop()
    recoverer.stop()
    this.#parts.board.stop()
    this.#parts.snapshot.stop()
    this.#parts.drains.stop()
    dependencies.pools.stop()
    this.#parts.pauses.stop()
    this.pruner.stop()
    await Promise.all([this.folders.stop(), this.streams.stop()])
    runner.close()
    dependencies.policy.kernel.stop()
    for (const execution of dependencies.executions.all()) execution.stop('stop')
    await this.#parts.outbox.stop()
    await this.#atRest()
    dependencies.watch.stop()
    if (this.#started) await heartbeat.stop()
    dependencies.book.close()
    this.#waiters.close()
  }

  async startRun(request: StartRequest): Promise<{ readonly runId: RunId; readonly hash: DefinitionHash }> {
    if (this.#stopping !== null) throw new SagasmithError('engine_stopped')
    const { admission, payloads, ids, starter } = this.#parts
    const { requestId, baseDirectory } = request
    const { document, versions } = await this.#parts.pins.pin(request.document, baseDirectory)
    const hash = admission.admit(document)
    const input = await payloads.keep(JSON.stringify(admission.admitInput(document, request.input)))
    const id = requestId === null ? newRunId(this.store, ids) : asRunId(`run_${requestPart(requestId)}`)
    const known = requestId === null ? null : await knownRun(this.#parts.dependencies, id)
    if (known !== null) return known
    const tenant = request.tenant === undefined ? {} : { tenant: request.tenant }
    const { breakpoints = [] } = request
    const record = {
      requestId,
      baseDirectory,
      breakpoints,
      ...tenant,
      ...startedBy(request.by),
      ...request.again,
    }
    const hasBegun = await starter.begin({
      id,
      isNew: requestId === null,
      document,
      hash,
      input,
      seed: ids.next(),
      actor: 'operator',
      record,
      versions,
    })
    return hasBegun ? { runId: id, hash } : this.#startRefused(request, id)
  }

  /** A repeated request finds the run that the first one made. */
  async #startRefused(
    request: StartRequest,
    id: RunId,
  ): Promise<{ readonly runId: RunId; readonly hash: DefinitionHash }> {
    const known = await knownRun(this.#parts.dependencies, id)
    if (known !== null && request.requestId !== null) return known
    throw new SagasmithError('lost_race', { message: `The run ${id} could not be started.` })
  }

  cancelRun(runId: RunId): Promise<RunStatus> {
    return requestCancel(this.#parts, runId)
  }

  controlRun(request: ControlRequest): Promise<ControlAnswer> {
    return this.#parts.controls.control(request)
  }

  sendSignal(request: SignalRequest): Promise<SignalAnswer> {
    return this.#parts.signals.send(request)
  }

  resolveInvocation(runId: RunId, invocationId: InvocationId, decision: ResolveDecision): Promise<void> {
    return resolveEffect(this.#parts, { runId, invocationId, decision })
  }

  waitForRun(runId: RunId, signal?: AbortSignal): Promise<RunRecord> {
    return this.#waiters.wait(runId, signal)
  }

  snapshot(runId: RunId): Promise<RunSnapshot> {
    return this.#parts.views.snapshot(runId)
  }

  stateAt(runId: RunId, seq: number): Promise<RunSnapshot> {
    return this.#parts.views.stateAt(runId, seq)
  }

  attempts(runId: RunId, invocationId: InvocationId | null): Promise<readonly AttemptRecord[]> {
    return this.#parts.views.attempts(runId, invocationId)
  }

  version(hash: DefinitionHash): Promise<WorkflowVersion> {
    return this.#parts.definitions.version(hash)
  }

  follow(request: FeedRequest): () => void {
    return followEvents(this.#parts.dependencies, request)
  }

  onLive(receive: (line: LiveLine) => void): () => void {
    return this.#parts.live.listen(receive)
  }

  liveSoFar(runId: RunId | null): readonly LiveLine[] {
    return this.#parts.live.soFar(runId)
  }

  previewExpression(preview: ExpressionPreview): ReturnType<Engine['previewExpression']> {
    return this.#parts.preview(preview, this)
  }

  emitEvent(request: EventRequest): Promise<EventAnswer> {
    return this.#parts.events.emit(request)
  }

  /** Others may have what failed here first; if none of them takes it, this one does. */
  #leaveToOthers(until: Instant): void {
    const { clock, load } = this.#parts.dependencies
    const spanMs = load.leaveFailedMs()
    if (spanMs > 0) this.#parts.claimer.pokeIn(until - clock.now() + spanMs)
  }

  /** What a committed decision means for the rest of this process. */
  #committed(decision: Decision): void {
    const { timers, claimer, pauses, dependencies } = this.#parts
    this.#parts.observer.decided(decision)
    const { run, invocations } = decision.changes
    this.#waiters.committed(run)
    this.#parts.lines.committed(decision)
    // It is made, or begins after it stood in line.
    const isNew = run.version === 1 || run.startedAt === decision.checkpoint.at
    if (isNew && run.deadlineAt !== null) timers.expect(run.deadlineAt)
    for (const record of invocations) {
      if (record.notBefore !== null) {
        // What has woken keeps its instant, and nobody waits for it any more.
        if (!invocationMachine.final.has(record.status)) timers.expect(record.notBefore)
        if (record.status === 'RETRY') this.#leaveToOthers(record.notBefore)
      } else if (record.lease !== null && record.cancelRequestedAt !== null) {
        dependencies.executions.get(record.id)?.stop('cancel')
      }
    }
    pauses.committed(decision)
    if (decision.checkpoint.writes.outbox.length > 0) this.#parts.outbox.committed(decision)
    if (dependencies.book.availableCount() > 0) claimer.poke()
  }
}
