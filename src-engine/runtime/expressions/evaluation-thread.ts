/**
 * The expression worker and its queue. Requests are answered in order; the first one's time is limited.
 * When it runs out, the worker is ended, the request fails, and a new worker goes on with the others.
 */

import { Worker } from 'node:worker_threads'
import { SagasmithError } from '../../model/errors.ts'
import { expressionRunMs } from '../../model/limits.ts'
import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { entryFile } from '../../tasks/entry-file.ts'
import type { EvaluationRequest, EvaluationResult, WorkerMessage } from './evaluation-message.ts'

export interface EvaluationThread {
  /** Throws `expression_too_slow`, and `expression_failed` when it took the worker down. */
  readonly evaluate: (request: Omit<EvaluationRequest, 'id'>) => Promise<readonly EvaluationResult[]>
  readonly close: () => Promise<void>
}

interface Pending {
  readonly request: EvaluationRequest
  readonly resolve: (results: readonly EvaluationResult[]) => void
  readonly reject: (error: Error) => void
}

/** The memory of one worker; an expression that needs more ends it. */
const workerHeapMb = 256
/** A machine that is busy with other things may hold a worker up; this many limits later it is given up. */
const patience = 25
/** A busy machine takes a second or two to start one. */
const startMs = 10_000
/** A worker that can't even start is not tried for ever. */
const startsMax = 5

/** The thread; it starts with the first request. */
export function createEvaluationThread(options: {
  readonly clock: Clock
  readonly limitMs?: Millis
  /** The worker's file; the product's own when absent. */
  readonly entry?: URL
}): EvaluationThread {
  const { clock, limitMs = expressionRunMs, entry = workerEntry() } = options
  return new WorkerQueue({ clock, limitMs, entry })
}

class WorkerQueue implements EvaluationThread {
  readonly #clock: Clock
  readonly #limitMs: Millis
  readonly #entry: URL
  readonly #pending: Pending[] = []
  #unsent: Pending[] = []
  #worker: Worker | null = null
  #isReady = false
  #failedStarts = 0
  #ids = 0
  #cancelWatch: () => void = () => {}

  constructor(options: { readonly clock: Clock; readonly limitMs: Millis; readonly entry: URL }) {
    this.#clock = options.clock
    this.#limitMs = options.limitMs
    this.#entry = options.entry
  }

  evaluate(request: Omit<EvaluationRequest, 'id'>): Promise<readonly EvaluationResult[]> {
    return new Promise((resolve, reject) => {
      this.#ids += 1
      const item: Pending = { request: { ...request, id: this.#ids }, resolve, reject }
      this.#pending.push(item)
      this.#unsent.push(item)
      if (this.#worker === null) this.#start()
      else this.#worker.ref()
      // All requests of one turn go in one message.
      if (this.#unsent.length === 1) queueMicrotask(() => this.#flush())
      if (this.#pending.length === 1) this.#watch()
    })
  }

  async close(): Promise<void> {
    this.#cancelWatch()
    const ended = this.#worker
    this.#worker = null
    this.#isReady = false
    this.#unsent = []
    for (const item of this.#pending.splice(0)) item.reject(new SagasmithError('engine_stopped'))
    ended?.removeAllListeners()
    await ended?.terminate()
  }

  #start(): void {
    const worker = new Worker(this.#entry, {
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMb },
      env: {},
    })
    this.#worker = worker
    worker.on('message', (message: WorkerMessage) => this.#receive(message, worker))
    worker.on('error', (error: Error) => this.#lost(error))
    // A worker that ends without an error, or never says that it is ready, would be waited for in vain.
    worker.on('exit', () => this.#lost(new Error('It ended without a word.')))
    this.#cancelWatch = this.#clock.after(startMs, () => this.#lost(new Error('It did not start.')))
  }

  #lost(error: Error): void {
    this.#failedStarts += this.#isReady ? 0 : 1
    if (this.#isReady || this.#failedStarts > startsMax) this.#fail(workerLost(error))
    this.#restart()
  }

  #receive(message: WorkerMessage, worker: Worker): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#failedStarts = 0
      this.#flush()
    } else if (this.#pending[0]?.request.id === message.id) {
      this.#pending.shift()?.resolve(message.results)
      if (this.#pending.length === 0) worker.unref()
    }
    this.#watch()
  }

  #flush(): void {
    if (!this.#isReady || this.#unsent.length === 0) return
    this.#worker?.postMessage(this.#unsent.map(({ request }) => request))
    this.#unsent = []
  }

  /** Times the first request: the others wait behind it. */
  #watch(): void {
    if (!this.#isReady) return
    this.#cancelWatch()
    const [first] = this.#pending
    if (first === undefined || this.#worker === null) return
    const limitMs = this.#limitMs * first.request.sources.length
    this.#cancelWatch = watchWorker({ clock: this.#clock, limitMs, worker: this.#worker }, () => {
      this.#fail(tooSlow(limitMs))
      this.#restart()
    })
  }

  #fail(error: SagasmithError): void {
    const first = this.#pending.shift()
    first?.reject(error)
  }

  /** Ends the worker; a new one goes on with what is left. */
  #restart(): void {
    this.#cancelWatch()
    const ended = this.#worker
    this.#worker = null
    this.#isReady = false
    // It speaks to nobody any more.
    ended?.removeAllListeners()
    ended?.on('error', () => {})
    void ended?.terminate()
    this.#unsent = [...this.#pending]
    if (this.#pending.length > 0) this.#start()
  }
}

function workerEntry(): URL {
  return entryFile({ from: import.meta.url, source: '../expression-worker.ts', bundled: 'expression-worker' })
}

/**
 * Calls once when the worker has had its time: after the limit has passed it must also have used the
 * processor for that long, so that a busy machine isn't taken for a slow expression.
 */
function watchWorker(
  watched: { readonly clock: Clock; readonly limitMs: Millis; readonly worker: Worker },
  onOver: () => void,
): () => void {
  const { clock, worker, limitMs } = watched
  let isOff = false
  let cancel = () => {}
  let usedMs = 0
  const check = async (round: number): Promise<void> => {
    const before = await processorMs(worker, clock, limitMs)
    if (isOff) return
    // Where the thread's processor time can't be asked for, the clock alone decides.
    if (before === null || round >= patience) return onOver()
    cancel = clock.after(limitMs / 4, () => {
      void processorMs(worker, clock, limitMs).then((after) => {
        if (isOff) return
        usedMs += (after ?? before + limitMs) - before
        if (usedMs >= limitMs / 8) onOver()
        else void check(round + 1)
      })
    })
  }
  cancel = clock.after(limitMs, () => void check(0))
  return () => {
    isOff = true
    cancel()
  }
}

/** Null where it can't be asked for: an older Node, or a thread that doesn't answer within the span. */
async function processorMs(worker: Worker, clock: Clock, span: Millis): Promise<number | null> {
  if (typeof worker.cpuUsage !== 'function') return null
  const silence = new Promise<null>((resolve) => {
    clock.after(span, () => resolve(null))
  })
  const usage = await Promise.race([worker.cpuUsage().catch(() => null), silence])
  return usage === null ? null : (usage.user + usage.system) / 1_000
}

function tooSlow(limitMs: Millis): SagasmithError {
  return new SagasmithError('expression_too_slow', {
    message: `The expression took longer than ${limitMs} ms.`,
    details: { limitMs },
  })
}

function workerLost(error: Error): SagasmithError {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return new SagasmithError('expression_failed', {
    message: isMemory
      ? 'The expression needed too much memory.'
      : `The expression could not be evaluated: ${error.message}`,
    hint: 'Make it simpler, or do the work in a JavaScript step.',
    cause: error,
  })
}
