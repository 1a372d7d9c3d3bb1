/**
 * The process that listens for web calls, kept going: it is there while there are addresses to serve, and is
 * started again when it ends by itself, at the port it had.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { GuardedHost, GuardedProcess } from '../../tasks/guarded-process.ts'
import type { ListenedCall, ListenedRoute, ListenerOrder, ListenerReport } from './listener-message.ts'

export interface WebAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ListenerProcessOptions {
  readonly host: GuardedHost
  readonly clock: Clock
  readonly log: Logger
  /** The address to listen at; others than those of this machine are reached from outside. */
  readonly address: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Answers a call; aborted when the caller hangs up. */
  readonly answer: (call: ListenedCall, signal: AbortSignal) => Promise<WebAnswer>
}

/** Where it stands. */
export type ListenerState =
  /** There is nothing to serve. */
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'listening'; readonly address: string; readonly port: number }
  | { readonly kind: 'failed'; readonly error: SagasmithError }

export interface ListenerProcess {
  readonly state: () => ListenerState
  /**
   * Serves exactly these from now on, and addresses of steps that fit the key; with neither it stops listening.
   */
  readonly serve: (routes: readonly ListenedRoute[], callbackKey?: string | null) => void
  readonly onState: (tell: (state: ListenerState) => void) => () => void
  readonly close: () => Promise<void>
}

const firstDelayMs = 500
const delayMsMax = 30_000

/** Not started: it starts with the first address. */
export function createListenerProcess(options: ListenerProcessOptions): ListenerProcess {
  const keeper = new ListenerKeeper(options)
  return {
    state: () => keeper.state,
    serve: (routes, callbackKey = null) => keeper.serve({ routes, callbackKey }),
    onState: (tell) => keeper.onState(tell),
    close: () => keeper.close(),
  }
}

interface ServedAddresses {
  readonly routes: readonly ListenedRoute[]
  readonly callbackKey: string | null
}

class ListenerKeeper {
  readonly #options: ListenerProcessOptions
  readonly #told = new Set<(state: ListenerState) => void>()
  readonly #open = new Map<number, AbortController>()
  state: ListenerState = { kind: 'off' }
  #served: ServedAddresses = { routes: [], callbackKey: null }
  #process: GuardedProcess | null = null
  #ended: Promise<void> = Promise.resolve()
  #port: number
  #failures = 0
  #cancelRestart: () => void = () => undefined
  #isClosed = false

  constructor(options: ListenerProcessOptions) {
    this.#options = options
    this.#port = options.port
  }

  serve(served: ServedAddresses): void {
    this.#served = served
    if (this.#isClosed) return
    if (!this.#isWanted()) return this.#stop()
    if (this.#process === null) this.#start()
    else this.#order({ kind: 'routes', ...served })
  }

  #isWanted(): boolean {
    return this.#served.routes.length > 0 || this.#served.callbackKey !== null
  }

  onState(tell: (state: ListenerState) => void): () => void {
    this.#told.add(tell)
    return () => this.#told.delete(tell)
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#stop()
    return this.#ended
  }

  #start(): void {
    this.#cancelRestart()
    this.#become({ kind: 'starting' })
    const child = this.#options.host.start()
    this.#process = child
    this.#ended = new Promise((resolve) => {
      child.onExit(() => {
        resolve()
        this.#left(child)
      })
    })
    child.onText((text) => {
      // Our own process wrote it, from code of the same release.
      if (this.#process === child) this.#hear(JSON.parse(text) as ListenerReport)
    })
  }

  #hear(report: ListenerReport): void {
    const { address } = this.#options
    if (report.kind === 'ready') {
      this.#order({ kind: 'routes', ...this.#served })
      this.#order({ kind: 'listen', host: address, port: this.#port })
    } else if (report.kind === 'listening') {
      this.#failures = 0
      // Whoever has the address keeps it over a restart of the process.
      this.#port = report.port
      this.#become({ kind: 'listening', address, port: report.port })
    } else if (report.kind === 'refused') this.#refused(report.code, report.message)
    else if (report.kind === 'gone') this.#open.get(report.id)?.abort()
    else void this.#answer(report)
  }

  async #answer(call: ListenedCall): Promise<void> {
    const child = this.#process
    const controller = new AbortController()
    this.#open.set(call.id, controller)
    try {
      const answer = await this.#options.answer(call, controller.signal)
      if (this.#process === child) this.#order({ kind: 'answer', id: call.id, ...answer })
    } catch (error) {
      this.#options.log.error('webhook.call_failed', {
        reason: error instanceof Error ? error.message : String(error),
      })
      if (this.#process === child) {
        this.#order({ kind: 'answer', id: call.id, status: 500, headers: {}, body: 'The call failed.\n' })
      }
    } finally {
      if (this.#open.get(call.id) === controller) this.#open.delete(call.id)
    }
  }

  #refused(code: string, message: string): void {
    const { address } = this.#options
    const error = new SagasmithError('webhook_port_refused', {
      message: `Web calls can’t be listened for at ${address}:${this.#port}: ${message}.`,
      details: { address, port: this.#port, code },
    })
    this.#become({ kind: 'failed', error })
    this.#options.log.error('webhook.port_refused', { address, port: this.#port, code })
    this.#process?.kill()
  }

  /** The process has ended: by itself, unless nobody wants it any more. */
  #left(child: GuardedProcess): void {
    if (this.#process !== child) return
    this.#process = null
    for (const controller of this.#open.values()) controller.abort()
    this.#open.clear()
    if (this.#isClosed || !this.#isWanted()) return
    const delay = Math.min(delayMsMax, firstDelayMs * 2 ** this.#failures)
    this.#failures += 1
    if (this.state.kind !== 'failed') this.#become({ kind: 'starting' })
    this.#options.log.warn('webhook.listener_ended', { againInMs: delay })
    this.#cancelRestart = this.#options.clock.after(delay, () => this.#start())
  }

  #stop(): void {
    this.#cancelRestart()
    const child = this.#process
    this.#process = null
    if (child !== null) {
      child.send(JSON.stringify({ kind: 'close' } satisfies ListenerOrder))
      child.kill()
    }
    for (const controller of this.#open.values()) controller.abort()
    this.#open.clear()
    this.#become({ kind: 'off' })
  }

  #order(order: ListenerOrder): void {
    this.#process?.send(JSON.stringify(order))
  }

  #become(state: ListenerState): void {
    this.state = state
    for (const tell of this.#told) tell(state)
  }
}
