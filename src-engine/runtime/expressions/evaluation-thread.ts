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
/** A worker that can't even start is not tried for ever. */
const startsMax = 5

/** The thread; it starts with the first request. */
export function createEvaluationThread(options: {
  readonly clock: Clock
  readonly limitMs?: Millis
}): EvaluationThread {
  const { clock, limitMs = expressionRunMs } = options
  const pending: Pending[] = []
  let unsent: Pending[] = []
  let worker: Worker | null = null
  let isReady = false
  let failedStarts = 0
  let ids = 0
  let cancelWatch = () => {}

  const flush = () => {
    if (!isReady || unsent.length === 0) return
    worker?.postMessage(unsent.map(({ request }) => request))
    unsent = []
  }
  const fail = (error: SagasmithError) => {
    const first = pending.shift()
    unsent = unsent.filter((item) => item !== first)
    first?.reject(error)
  }
  const restart = () => {
    cancelWatch()
    const ended = worker
    worker = null
    isReady = false
    // Nobody waits for it: it is ended, and speaks to nobody any more.
    ended?.removeAllListeners()
    ended?.on('error', () => {})
    void ended?.terminate()
    unsent = [...pending]
    if (pending.length > 0) start()
  }
  const watch = () => {
    cancelWatch()
    if (!isReady || pending.length === 0 || worker === null) return
    const watched = worker
    cancelWatch = watchFirst(
      { clock, limitMs, worker: watched },
      () => {
        fail(tooSlow(limitMs * (pending[0]?.request.sources.length ?? 1)))
        restart()
      },
      pending[0]?.request.sources.length ?? 1,
    )
  }
  const start = () => {
    const started = new Worker(workerEntry(), {
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMb },
      env: {},
    })
    worker = started
    started.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') {
        isReady = true
        failedStarts = 0
        flush()
      } else if (pending[0]?.request.id === message.id) {
        pending.shift()?.resolve(message.results)
        if (pending.length === 0) started.unref()
      }
      watch()
    })
    started.on('error', (error: Error) => {
      failedStarts += isReady ? 0 : 1
      if (isReady || failedStarts > startsMax) fail(workerLost(error))
      restart()
    })
  }
  return {
    evaluate(request) {
      return new Promise((resolve, reject) => {
        ids += 1
        const item: Pending = { request: { ...request, id: ids }, resolve, reject }
        pending.push(item)
        unsent.push(item)
        if (worker === null) start()
        else worker.ref()
        // All requests of one turn go in one message.
        if (unsent.length === 1) queueMicrotask(flush)
        if (pending.length === 1) watch()
      })
    },
    async close() {
      cancelWatch()
      const ended = worker
      worker = null
      isReady = false
      unsent = []
      for (const item of pending.splice(0)) item.reject(new SagasmithError('engine_stopped'))
      ended?.removeAllListeners()
      await ended?.terminate()
    },
  }
}

function workerEntry(): URL {
  return entryFile({ from: import.meta.url, source: '../expression-worker.ts', bundled: 'expression-worker' })
}

/**
 * Calls once when the worker has had its time: after the limit has passed it must also have used the
 * processor for that long, so that a busy machine isn't taken for a slow expression.
 */
function watchFirst(
  watched: { readonly clock: Clock; readonly limitMs: Millis; readonly worker: Worker },
  onOver: () => void,
  count: number,
): () => void {
  const { clock, worker } = watched
  const limitMs = watched.limitMs * count
  let isOff = false
  let cancel = () => {}
  let usedMs = 0
  const check = async (round: number): Promise<void> => {
    const before = await processorMs(worker)
    if (isOff) return
    // Where the thread's processor time can't be asked for, the clock alone decides.
    if (before === null || round >= patience) return onOver()
    cancel = clock.after(limitMs / 4, () => {
      void processorMs(worker).then((after) => {
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

async function processorMs(worker: Worker): Promise<number | null> {
  // Older Nodes don't have it.
  if (typeof worker.cpuUsage !== 'function') return null
  const usage = await worker.cpuUsage().catch(() => null)
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
