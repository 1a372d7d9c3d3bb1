/** The engine's side of the supervisor's messages: opens the engine, serves lines, stops on request. */

import type { MessageEvent, MessagePortMain } from 'electron'
import { recordOfThrown, SagasmithError } from '../src-engine/model/errors.ts'
import type { Channel } from '../src-engine/protocol/channel.ts'
import type { PortLike } from '../src-engine/shell/channels/message-port.ts'
import { messagePortChannel } from '../src-engine/shell/channels/message-port.ts'
import type { EngineToMain, MainToEngine, PowerHint } from './engine-messages.ts'
import type { KeyStoreAnswer } from './key-store.ts'

/** An open engine, as the shells compose it. */
export interface ServableEngine {
  readonly serve: (channel: Channel) => void
  /** The system is about to sleep, or woke up. */
  readonly power: (hint: PowerHint) => void
  /** Lets it touch a file that a person opened or saved, and what lies beside it for that. */
  readonly grant: (path: string) => void
  readonly close: () => Promise<void>
}

export interface ParentPort {
  on(event: 'message', listener: (event: MessageEvent) => void): unknown
  postMessage(message: EngineToMain): void
}

export interface EngineServiceDeps {
  readonly parent: ParentPort
  readonly open: () => Promise<ServableEngine>
  readonly exit: (code: number) => void
  readonly reportError: (text: string) => void
  /** Called with the port of a sandbox that the engine asked for. */
  readonly onSandbox: (id: number, port: MessagePortMain) => void
  /** Called with what the system's key store answered. */
  readonly onKeyStore: (id: number, answer: KeyStoreAnswer) => void
}

/** Electron declares its port's events one by one, which TypeScript cannot match with one function. */
const channelOf = (port: MessagePortMain): Channel => messagePortChannel(port as unknown as PortLike)

/** A refusal that the person must act on; anything else is a crash, and a restart may help. */
function isLasting(error: unknown): error is SagasmithError {
  return error instanceof SagasmithError && !error.retryable && error.code !== 'internal'
}

/** Runs the engine for the supervisor; lines that come before it is open wait for it. */
export function runEngineService(deps: EngineServiceDeps): void {
  const { parent, open, exit, reportError, onSandbox, onKeyStore } = deps
  const opening = open()
  const waiting: MessagePortMain[] = []
  let engine: ServableEngine | null = null

  const serve = (port: MessagePortMain): void => {
    if (engine === null) waiting.push(port)
    else engine.serve(channelOf(port))
  }
  const describe = (error: unknown): string =>
    error instanceof Error && !(error instanceof SagasmithError)
      ? (error.stack ?? error.message)
      : String(error)
  const failed = (error: unknown): void => {
    reportError(`${describe(error)}\n`)
    for (const port of waiting.splice(0)) port.close()
    if (!isLasting(error)) {
      exit(1)
      return
    }
    // Exiting now could outrun the message; the supervisor answers it with a stop.
    parent.postMessage({ kind: 'refused', error: recordOfThrown(error) })
  }
  const stop = async (): Promise<void> => {
    try {
      const opened = await opening
      await opened.close()
      exit(0)
    } catch (error) {
      reportError(`${describe(error)}\n`)
      exit(1)
    }
  }

  parent.on('message', ({ data, ports }) => {
    const message = data as MainToEngine
    const port = ports[0]
    if (message.kind === 'stop') void stop()
    else if (message.kind === 'power') engine?.power(message.hint)
    else if (message.kind === 'grant') engine?.grant(message.path)
    else if (message.kind === 'key-store') onKeyStore(message.id, message.answer)
    else if (port === undefined) reportError(`engine: the message ${message.kind} came without its port\n`)
    else if (message.kind === 'connect') serve(port)
    else onSandbox(message.id, port)
  })
  opening.then((opened) => {
    engine = opened
    parent.postMessage({ kind: 'ready' })
    for (const port of waiting.splice(0)) serve(port)
  }, failed)
}
