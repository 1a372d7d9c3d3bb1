/**
 * Supervises the engine's process: starts it, hands each page a line of its own to it, starts it again
 * with growing delays when it ends unexpectedly, and stops trying when it ends again and again.
 */

import type { MessagePortMain, UtilityProcess, WebContents } from 'electron'
import type { ErrorRecord } from '../src-engine/model/errors.ts'
import { errorRecord } from '../src-engine/model/errors.ts'
import type { Clock } from '../src-engine/model/ports.ts'
import type { Result } from '../src-engine/model/result.ts'
import { err, ok } from '../src-engine/model/result.ts'
import type { Channel } from '../src-engine/protocol/channel.ts'
import type { EngineProcessState } from '../src-engine/protocol/desktop-api.ts'
import type { PortLike } from '../src-engine/shell/channels/message-port.ts'
import { messagePortChannel } from '../src-engine/shell/channels/message-port.ts'
import type { EngineToMain, GuardedProgram, MainToEngine, PowerHint } from './engine-messages.ts'
import { pushChannels } from './ipc/channel-names.ts'
import type { KeyStore } from './key-store.ts'

/** First delay before a restart; it doubles with every crash. */
export const restartDelayMinMs = 500
/** A longer wait would look like an app that gave up. */
export const restartDelayMaxMs = 30_000
/** This many crashes within the window mean that restarting does not help. */
export const crashCountMax = 5
export const crashWindowMs = 60_000
/** How long the engine may take to write its last checkpoints when the app quits. */
export const stopLimitMs = 8_000

export interface EngineProcessDeps {
  /** Starts the process; called after the app is ready. */
  readonly fork: () => UtilityProcess
  readonly createChannel: () => { readonly port1: MessagePortMain; readonly port2: MessagePortMain }
  readonly clock: Pick<Clock, 'monotonic' | 'after'>
  /** Starts a process for a JavaScript step; gives the port that stands for it. */
  readonly startSandbox: (program: GuardedProgram) => MessagePortMain
  /** Asks the system's key store. */
  readonly keyStore: KeyStore
  /** Receives what the engine prints, and what the supervisor does. */
  readonly log: (text: string) => void
  readonly onState: (state: EngineProcessState) => void
}

/** Supervisor of one engine process at a time. */
export class EngineProcess {
  readonly #deps: EngineProcessDeps
  #state: EngineProcessState = { status: 'starting' }
  #child: UtilityProcess | null = null
  #crashes: number[] = []
  #cancelRestart: () => void = () => undefined
  #isStopping = false
  readonly #granted = new Set<string>()
  #refusal: ErrorRecord | null = null
  #ended: Promise<void> = Promise.resolve()

  constructor(deps: EngineProcessDeps) {
    this.#deps = deps
  }

  /** The state now. */
  state(): EngineProcessState {
    return this.#state
  }

  /** Starts the engine; does nothing while one runs. */
  start(): void {
    if (this.#child !== null || this.#isStopping) return
    this.#cancelRestart()
    this.#refusal = null
    this.#enter({ status: 'starting' })
    const child = this.#deps.fork()
    this.#child = child
    child.stdout?.on('data', (chunk: Buffer) => this.#deps.log(chunk.toString('utf8')))
    child.stderr?.on('data', (chunk: Buffer) => this.#deps.log(chunk.toString('utf8')))
    child.on('message', (message: EngineToMain) => this.#heard(message))
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.#exited(code)
        resolve()
      })
    })
  }

  /** Starts an engine that was given up, with a clean record. */
  restart(): void {
    this.#crashes = []
    this.start()
  }

  /**
   * Gives a page its own line to the engine. A line given while the engine starts is served once it is
   * ready; one that is asked of an engine that is down is refused, never left to wait for ever.
   */
  openPort(page: Pick<WebContents, 'postMessage'>, requestId: string): Result<null, ErrorRecord> {
    if (this.#child === null) return err(this.#downError())
    const { port1, port2 } = this.#deps.createChannel()
    this.#tell({ kind: 'connect' }, [port2])
    page.postMessage(pushChannels.enginePort, requestId, [port1])
    return ok(null)
  }

  /** A line of the app's own to the engine; null while it is down. */
  openLine(): Channel | null {
    if (this.#child === null) return null
    const { port1, port2 } = this.#deps.createChannel()
    this.#tell({ kind: 'connect' }, [port2])
    // Electron declares its port's events one by one, which TypeScript cannot match with one function.
    return messagePortChannel(port1 as unknown as PortLike)
  }

  /** Passes on what the system says of its power; an engine that is down has no use for it. */
  power(hint: PowerHint): void {
    this.#tell({ kind: 'power', hint }, [])
  }

  /** Lets the engine touch a file that a person chose, and every engine that is started later. */
  grant(path: string): void {
    this.#granted.add(path)
    this.#tell({ kind: 'grant', path }, [])
  }

  /** Asks the engine to finish what it must and ends it; resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelRestart()
    const child = this.#child
    if (child === null) return
    this.#tell({ kind: 'stop' }, [])
    const cancelLimit = this.#deps.clock.after(stopLimitMs, () => {
      this.#deps.log(`engine: did not stop within ${stopLimitMs} ms, ended by force\n`)
      child.kill()
    })
    await this.#ended
    cancelLimit()
  }

  #tell(message: MainToEngine, ports: MessagePortMain[]): void {
    this.#child?.postMessage(message, ports)
  }

  #heard(message: EngineToMain): void {
    if (message.kind === 'ready') {
      for (const path of this.#granted) this.#tell({ kind: 'grant', path }, [])
      this.#enter({ status: 'running' })
      return
    }
    if (message.kind === 'start-sandbox') {
      this.#tell({ kind: 'sandbox', id: message.id }, [this.#deps.startSandbox(message.program)])
      return
    }
    if (message.kind === 'ask-key-store') {
      void this.#askKeyStore(message)
      return
    }
    this.#refusal = message.error
    this.#tell({ kind: 'stop' }, [])
  }

  async #askKeyStore({
    id,
    request,
  }: Extract<EngineToMain, { readonly kind: 'ask-key-store' }>): Promise<void> {
    const child = this.#child
    const answer = await this.#deps.keyStore(request)
    // Another process by now has other questions.
    if (this.#child === child) this.#tell({ kind: 'key-store', id, answer }, [])
  }

  #exited(code: number): void {
    this.#child = null
    if (this.#isStopping) return
    // An engine that says why it cannot run will say the same the next time.
    if (this.#refusal !== null) {
      this.#enter({ status: 'stopped', error: this.#refusal })
      return
    }
    this.#crashed(code)
  }

  #crashed(code: number): void {
    const now = this.#deps.clock.monotonic()
    this.#crashes = [...this.#crashes.filter((at) => now - at < crashWindowMs), now]
    const crashCount = this.#crashes.length
    this.#deps.log(`engine: ended with exit code ${code} (${crashCount} within the last minute)\n`)
    if (crashCount >= crashCountMax) {
      this.#enter({ status: 'stopped', error: this.#downError() })
      return
    }
    const delayMs = Math.min(restartDelayMaxMs, restartDelayMinMs * 2 ** (crashCount - 1))
    this.#enter({ status: 'restarting', delayMs, crashCount })
    this.#cancelRestart = this.#deps.clock.after(delayMs, () => this.start())
  }

  #downError(): ErrorRecord {
    if (this.#refusal !== null) return this.#refusal
    if (this.#crashes.length < crashCountMax) return errorRecord('engine_stopped')
    return errorRecord('engine_stopped', {
      message: `The engine ended unexpectedly ${this.#crashes.length} times within a minute.`,
      hint: 'Look at engine.log in the app’s log folder, then choose Restart engine.',
      retryable: false,
    })
  }

  #enter(state: EngineProcessState): void {
    this.#state = state
    this.#deps.onState(state)
  }
}
