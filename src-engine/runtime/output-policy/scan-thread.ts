/**
 * The thread that looks into results, and its queue: one at a time, and none for longer than it may take. When
 * the time runs out the thread is ended, the scan fails, and a new thread goes on with the others.
 */

import { Worker } from 'node:worker_threads'
import type { ContentVerdict } from '../../core/output/judge.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { entryFile } from '../../tasks/entry-file.ts'
import type { OutputScanner, ScanMessage, ScanRequest } from './scan-message.ts'

interface Pending {
  readonly id: number
  readonly request: ScanRequest
  readonly resolve: (verdict: ContentVerdict) => void
  readonly reject: (error: Error) => void
}

/** Room for the largest result, several times over. */
const workerHeapMb = 512
/** A thread that doesn't start is not tried for ever. */
const startsMax = 3

/** A scanner whose thread starts with the first scan. */
export function createThreadScanner(options: {
  readonly clock: Clock
  readonly limitMs: Millis
  /** The worker's file; the product's own when absent. */
  readonly entry?: URL
}): OutputScanner {
  const { clock, limitMs, entry = workerEntry() } = options
  return new ScanQueue({ clock, limitMs, entry })
}

class ScanQueue implements OutputScanner {
  readonly #options: { readonly clock: Clock; readonly limitMs: Millis; readonly entry: URL }
  readonly #pending: Pending[] = []
  #worker: Worker | null = null
  #isReady = false
  #failedStarts = 0
  #ids = 0
  #cancelWatch: () => void = () => undefined

  constructor(options: { readonly clock: Clock; readonly limitMs: Millis; readonly entry: URL }) {
    this.#options = options
  }

  scan(request: ScanRequest): Promise<ContentVerdict> {
    return new Promise((resolve, reject) => {
      this.#ids += 1
      this.#pending.push({ id: this.#ids, request, resolve, reject })
      if (this.#pending.length === 1) this.#next()
    })
  }

  async close(): Promise<void> {
    const ended = this.#leave()
    for (const { reject } of this.#pending.splice(0)) reject(new SagasmithError('engine_stopped'))
    await ended?.terminate()
  }

  /** Sends the first in line, and gives it its time. */
  #next(): void {
    const [first] = this.#pending
    if (first === undefined) {
      this.#worker?.unref()
      return
    }
    this.#cancelWatch()
    const { clock, limitMs } = this.#options
    this.#cancelWatch = clock.after(limitMs, () => this.#fail(tooSlow(limitMs)))
    if (this.#worker === null) this.#start()
    else if (this.#isReady) {
      this.#worker.ref()
      this.#worker.postMessage({ id: first.id, request: first.request })
    }
  }

  #start(): void {
    const worker = new Worker(this.#options.entry, {
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMb },
      env: {},
    })
    this.#worker = worker
    worker.on('message', (message: ScanMessage) => this.#receive(message))
    worker.on('error', (error: Error) => this.#lost(error))
    worker.on('exit', () => this.#lost(new Error('It ended without a word.')))
  }

  #receive(message: ScanMessage): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#failedStarts = 0
      this.#next()
      return
    }
    if (this.#pending[0]?.id !== message.id) return
    const first = this.#pending.shift()
    this.#cancelWatch()
    if (message.kind === 'answer') first?.resolve(message.verdict)
    else first?.reject(scanFailed(message.message))
    this.#next()
  }

  #lost(error: Error): void {
    this.#failedStarts += this.#isReady ? 0 : 1
    if (this.#isReady || this.#failedStarts >= startsMax) this.#fail(scanFailed(error.message))
    else {
      this.#leave()
      this.#next()
    }
  }

  /** The first one has failed, and its thread with it. */
  #fail(error: SagasmithError): void {
    const ended = this.#leave()
    void ended?.terminate()
    this.#pending.shift()?.reject(error)
    this.#next()
  }

  /** It speaks to nobody any more. */
  #leave(): Worker | null {
    this.#cancelWatch()
    const ended = this.#worker
    this.#worker = null
    this.#isReady = false
    ended?.removeAllListeners()
    ended?.on('error', () => undefined)
    return ended
  }
}

const workerEntry = (): URL =>
  entryFile({ from: import.meta.url, source: '../output-scan-worker.ts', bundled: 'output-scan-worker' })

const tooSlow = (limitMs: Millis): SagasmithError =>
  new SagasmithError('output_scan_too_slow', {
    message: `The scan of the result took longer than ${limitMs} ms.`,
    details: { limitMs },
  })

const scanFailed = (why: string): SagasmithError =>
  new SagasmithError('output_scan_failed', { message: `The result could not be scanned: ${why}` })
