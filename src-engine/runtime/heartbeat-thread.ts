/**
 * The heartbeat in a thread of its own. It starts when the first lease or the row itself needs a renewal:
 * what is younger than that needs none, and a process that ends sooner never pays for it. What is held is
 * told to it by the ticks of the main loop, never by a step.
 */

import { Worker } from 'node:worker_threads'
import { recordOfThrown } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import type { Clock, Logger } from '../model/ports.ts'
import type { RenewerAddress } from '../store/renewer-address.ts'
import type { Store } from '../store/store.ts'
import { entryFile } from '../tasks/entry-file.ts'
import type {
  HeartbeatDriver,
  HeartbeatDriverMaker,
  HeartbeatNews,
  HeartbeatTimes,
  HeldWork,
} from './heartbeat-driver.ts'
import type { FromHeartbeatThread, HeartbeatThreadData, ToHeartbeatThread } from './heartbeat-message.ts'

/** It waits for a file that another process holds locked, but no process stops any later for its sake. */
const stopMs = 7_000

export interface ThreadHeartbeatDependencies {
  readonly address: RenewerAddress
  readonly store: Pick<Store, 'load' | 'renewerPassword'>
  readonly partition: number
  readonly clock: Clock
  readonly log: Logger
  /** The thread's file; the product's own when absent. */
  readonly entry?: URL
}

/** The driver of a store that a second connection can reach. */
export function createThreadHeartbeat(dependencies: ThreadHeartbeatDependencies): HeartbeatDriverMaker {
  return (times, tell) => new ThreadHeartbeat(dependencies, times, tell)
}

class ThreadHeartbeat implements HeartbeatDriver {
  readonly #dependencies: ThreadHeartbeatDependencies
  readonly #times: HeartbeatTimes
  readonly #tell: (news: HeartbeatNews) => void
  readonly #progress = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  readonly #counter = new Int32Array(this.#progress)
  #worker: Worker | null = null
  #startAt = Number.POSITIVE_INFINITY
  #held: HeldWork | null = null
  #sentAt = 0
  #failures = 0
  #stopped: (() => void) | null = null

  constructor(
    dependencies: ThreadHeartbeatDependencies,
    times: HeartbeatTimes,
    tell: (news: HeartbeatNews) => void,
  ) {
    this.#dependencies = dependencies
    this.#times = times
    this.#tell = tell
  }

  start(held: HeldWork): void {
    this.#held = held
    this.#startAt = this.#dependencies.clock.monotonic() + this.#times.intervalMs
  }

  progress(held: HeldWork): void {
    Atomics.add(this.#counter, 0, 1)
    const now = this.#dependencies.clock.monotonic()
    const isNew = !sameLeases(held, this.#held)
    this.#held = held
    if (this.#worker === null) {
      if (held.leases.length > 0 || now >= this.#startAt) this.#begin(held)
    } else if (isNew || now - this.#sentAt >= this.#times.intervalMs) this.#send({ kind: 'held', held })
  }

  async stop(): Promise<void> {
    this.#startAt = Number.POSITIVE_INFINITY
    const worker = this.#worker
    this.#worker = null
    if (worker === null) return
    const { clock } = this.#dependencies
    const ended = new Promise<void>((resolve) => {
      const cancel = clock.after(stopMs, resolve)
      this.#stopped = () => {
        cancel()
        resolve()
      }
    })
    worker.ref()
    worker.postMessage({ kind: 'stop' } satisfies ToHeartbeatThread)
    await ended
    worker.removeAllListeners()
    await worker.terminate()
  }

  #begin(held: HeldWork): void {
    const data: HeartbeatThreadData = {
      address: this.#dependencies.address,
      times: this.#times,
      held,
      progress: this.#progress,
    }
    const worker = new Worker(this.#dependencies.entry ?? workerEntry(), { workerData: data, env: {} })
    worker.unref()
    worker.on('message', (message: FromHeartbeatThread) => this.#receive(worker, message))
    worker.on('error', (thrown: unknown) => this.#lost(worker, recordOfThrown(thrown).message))
    worker.on('exit', () => this.#lost(worker, 'The heartbeat thread ended without a word.'))
    this.#worker = worker
    this.#sentAt = this.#dependencies.clock.monotonic()
  }

  #send(message: ToHeartbeatThread): void {
    this.#worker?.postMessage(message)
    this.#sentAt = this.#dependencies.clock.monotonic()
  }

  #receive(worker: Worker, message: FromHeartbeatThread): void {
    if (message.kind === 'stopped') {
      this.#stopped?.()
      return
    }
    if (worker !== this.#worker) return
    if (message.kind === 'password-wanted') {
      void this.#tellPassword(worker)
      return
    }
    if (message.kind !== 'renewed') {
      this.#tell(message)
      return
    }
    this.#failures = 0
    void this.#renewed(message.lost)
  }

  async #tellPassword(worker: Worker): Promise<void> {
    const { store, log } = this.#dependencies
    try {
      const password = (await store.renewerPassword?.()) ?? null
      worker.postMessage({ kind: 'password', password } satisfies ToHeartbeatThread)
    } catch (thrown) {
      // It goes on with the one that it knows.
      log.warn('heartbeat.password-failed', { error: recordOfThrown(thrown).message })
    }
  }

  async #renewed(lost: readonly InvocationId[]): Promise<void> {
    const cancelRequested = await this.#cancelRequests()
    this.#tell({ kind: 'renewed', lost, cancelRequested })
  }

  async #cancelRequests(): Promise<readonly InvocationId[]> {
    const { store, partition, log } = this.#dependencies
    const wanted: InvocationId[] = []
    try {
      for (const { invocationId } of this.#held?.leases ?? []) {
        const record = await store.load(partition, 'invocation', { invocationId })
        if (record !== null && record.cancelRequestedAt !== null) wanted.push(invocationId)
      }
    } catch (thrown) {
      // The next renewal asks again.
      log.warn('heartbeat.look-failed', { error: recordOfThrown(thrown).message })
    }
    return wanted
  }

  /** A thread that ended is a renewal that failed; the next one starts with a new thread. */
  #lost(worker: Worker, message: string): void {
    this.#stopped?.()
    if (worker !== this.#worker) return
    worker.removeAllListeners()
    this.#worker = null
    this.#startAt = this.#dependencies.clock.monotonic() + this.#times.intervalMs
    this.#failures += 1
    this.#tell({ kind: 'failed', inARow: this.#failures, message })
  }
}

function workerEntry(): URL {
  return entryFile({
    from: import.meta.url,
    source: './heartbeat-worker.ts',
    bundled: 'heartbeat-worker',
  })
}

const sameLeases = (a: HeldWork, b: HeldWork | null): boolean =>
  a.leases.length === b?.leases.length &&
  a.leases.every(({ invocationId }, index) => invocationId === b.leases[index]?.invocationId)
