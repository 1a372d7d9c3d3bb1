/**
 * The reader of one trigger's stream. Of all processes that would read it one does, under a lock; when it dies, the
 * next one goes on. What keeps it from reading is written down, and it tries again less and less often.
 */

import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import type { Logger } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { minute, second } from '../../model/time.ts'
import type { TriggerName, TriggerRecord } from '../../model/trigger.ts'
import { isTriggerOn, triggerKey } from '../../model/trigger.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { SecretGuard } from '../../tasks/task.ts'
import type { RedisStreamParameters } from '../../triggers/redis-stream/spec.ts'
import type { Locks } from '../locks/locks.ts'
import { loadTrigger, writeRegisters } from '../triggers/trigger-registers.ts'
import type { DefinitionTrust } from '../trust/definition-trust.ts'
import type { SecretSource } from '../vault/attempt-secrets.ts'
import { openSecrets } from '../vault/attempt-secrets.ts'
import { createSecretMarks, MarkedParameters } from '../vault/marked-parameters.ts'
import type { StreamAccess } from './stream-access.ts'
import { headWrite, loadHead } from './stream-head.ts'
import type { StreamSessionParts } from './stream-session.ts'
import { HeadMovedError, pause, StreamSession } from './stream-session.ts'

export interface StreamReaderParts extends StreamSessionParts {
  readonly log: Logger
  readonly locks: Pick<Locks, 'acquire'>
  readonly access: StreamAccess
  /** Where passwords come from; absent for an engine without a vault. */
  readonly secrets: SecretSource | undefined
  /** Of a runner that doesn't trust every definition; else null. */
  readonly trust: DefinitionTrust | null
}

/** Who dies leaves the stream unread for no longer than that. */
const lockMs: Millis = 15 * second
/** Whoever doesn't read asks this often whether it may. */
const waitMs: Millis = 5 * second
const retryMs: Millis = second
/** A server that is away for long is asked this often. */
const retryMsMax: Millis = minute

/** Reads until it is told to stop. */
export class StreamReader {
  readonly #parts: StreamReaderParts
  readonly #name: TriggerName
  readonly #stop = new AbortController()
  #reading: Promise<void> = Promise.resolve()
  #failures = 0

  constructor(parts: StreamReaderParts, name: TriggerName) {
    this.#parts = parts
    this.#name = name
  }

  start(): void {
    this.#reading = this.#run()
  }

  /** Resolves once nothing is read and the lock is free. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#reading
  }

  async #run(): Promise<void> {
    const { clock, locks } = this.#parts
    const { signal } = this.#stop
    while (!signal.aborted) {
      const lock = await locks.acquire(`stream/${triggerKey(this.#name)}`, lockMs).catch(() => null)
      if (lock === null) {
        await pause(clock, waitMs, signal)
        continue
      }
      const span = await this.#read(AbortSignal.any([signal, lock.signal]))
      await lock.release().catch(() => undefined)
      await pause(clock, span, signal)
    }
  }

  /** Resolves with how long to wait before it is tried again. */
  async #read(signal: AbortSignal): Promise<Millis> {
    try {
      await this.#session(signal)
      return waitMs
    } catch (thrown) {
      if (signal.aborted || thrown instanceof HeadMovedError) return retryMs
      await this.#note(recordOfThrown(thrown)).catch(() => undefined)
      this.#failures += 1
      return Math.min(retryMsMax, retryMs * 2 ** Math.min(this.#failures - 1, 10))
    }
  }

  /** Ends when the trigger is off or another one, with the lock, and with the connection. */
  async #session(signal: AbortSignal): Promise<void> {
    const trigger = await loadTrigger(this.#parts, this.#name)
    if (trigger === null || !isTriggerOn(trigger.record)) return
    const { since } = trigger.record
    const parameters = parametersOf(trigger.record)
    // Before anything is read: what is read after it is nobody else's as long as it stays as it is.
    const head = await loadHead(this.#parts, this.#name)
    const connection = await this.#connect(trigger.record, signal)
    try {
      const given = { name: this.#name, connection, parameters, head, signal }
      const session = await StreamSession.begin(this.#parts, given)
      if (head.state.problem !== null && !isFullProblem(head.state.problem))
        await session.note({ problem: null })
      this.#failures = 0
      let isFull = isFullProblem(head.state.problem)
      for (let now = trigger; ; ) {
        signal.throwIfAborted()
        await session.turn(now)
        if (session.isFull !== isFull) {
          isFull = session.isFull
          await session.note({ problem: isFull ? fullProblem(parameters, this.#parts.clock.now()) : null })
        }
        const next = await loadTrigger(this.#parts, this.#name)
        if (next === null || !isTriggerOn(next.record) || next.record.since !== since) return
        now = next
      }
    } finally {
      connection.close()
    }
  }

  async #connect(record: TriggerRecord, signal: AbortSignal) {
    const { definitions, access, trust } = this.#parts
    const parameters = parametersOf(record)
    await this.#requireTrust(record)
    const { document } = await definitions.version(record.definitionHash)
    // Documents are JSON by construction.
    const approvedHosts = (JSON.parse(document) as WorkflowDocument).capabilities?.hosts ?? []
    const { password, secrets } = await this.#passwordOf(record)
    // Who vouches for a definition says nothing of its triggers: they lead only where the definition names.
    const allowedHosts = trust === null ? null : approvedHosts
    return access.connect({ parameters, password, secrets, approvedHosts, allowedHosts }, signal)
  }

  /** What this runner wouldn't execute gets neither its network nor its secrets. */
  async #requireTrust({ definitionHash: hash }: TriggerRecord): Promise<void> {
    const { trust } = this.#parts
    if (trust === null) return
    await trust.refresh()
    if (!trust.accepts(hash)) throw new SagasmithError('definition_not_trusted', { details: { hash } })
  }

  /** Opened for each connection, and forgotten with it. */
  async #passwordOf({
    parameters,
  }: TriggerRecord): Promise<{ readonly password: string; readonly secrets: SecretGuard | null }> {
    const { auth } = parameters as unknown as RedisStreamParameters
    if (auth.kind === 'none') return { password: '', secrets: null }
    const marks = createSecretMarks([auth.secret])
    const marked = new MarkedParameters(marks.markOf(auth.secret), marks)
    const { workflowId, triggerId } = this.#name
    // A trigger is bound by its key, as a step is by its own.
    const use = { workflowId, nodeId: triggerId as NodeId, taskKind: 'redis-stream' }
    const opened = await openSecrets(this.#parts.secrets, marked, use)
    const { parameters: password, guard } = opened
    return { password: typeof password === 'string' ? password : '', secrets: guard }
  }

  /** Told once: what is known already isn't written again. */
  async #note({ code, message, hint }: ErrorRecord): Promise<void> {
    const { clock, log } = this.#parts
    const { workflowId, triggerId } = this.#name
    const head = await loadHead(this.#parts, this.#name)
    const { problem } = head.state
    if (problem !== null && problem.code === code && problem.message === message) return
    log.warn('stream.failed', { workflowId, triggerId, code, message })
    const state = { ...head.state, problem: { code, message, hint, at: clock.now() } }
    await writeRegisters(this.#parts, [headWrite(this.#name, head, state)])
  }
}

/** They went through the spec's schema when the trigger was published. */
const parametersOf = ({ parameters }: TriggerRecord): RedisStreamParameters =>
  parameters as unknown as RedisStreamParameters

const isFullProblem = (problem: { readonly code: string } | null): boolean =>
  problem?.code === 'stream_pending_full'

function fullProblem({ pendingMax }: RedisStreamParameters, at: number) {
  const message = `${pendingMax} of its entries wait for their runs to succeed: no more are read.`
  const { code, hint } = recordOfThrown(new SagasmithError('stream_pending_full', { message }))
  return { code, message, hint, at }
}
