/** Guarded processes of the engine in the desktop app: the main process starts them. */

import type { MessagePortMain } from 'electron'
import type { GuardedHost, GuardedProcess } from '../src-engine/tasks/guarded-process.ts'
import type { GuardedProgram } from './engine-messages.ts'

export interface UtilitySandboxHosts {
  /** Starts processes of one program. */
  readonly of: (program: GuardedProgram) => GuardedHost
  /** Called with the port of a process that was asked for. */
  readonly arrived: (id: number, port: MessagePortMain) => void
}

/** A process from the moment it is asked for: what is sent before its port comes waits. */
class PendingSandbox implements GuardedProcess {
  #port: MessagePortMain | null = null
  #early: string[] = []
  #isKilled = false
  #receive: (text: string) => void = () => undefined
  #ended: () => void = () => undefined

  /** Takes the port; a process that is unwanted by now is ended by closing it. */
  connect(port: MessagePortMain): void {
    if (this.#isKilled) {
      port.close()
      return
    }
    this.#port = port
    port.on('message', ({ data }) => this.#receive(String(data)))
    port.on('close', () => this.#end())
    port.start()
    for (const text of this.#early.splice(0)) port.postMessage(text)
  }

  send(text: string): void {
    if (this.#port === null) this.#early.push(text)
    else this.#port.postMessage(text)
  }

  onText(receive: (text: string) => void): void {
    this.#receive = receive
  }

  onExit(receive: () => void): void {
    this.#ended = receive
  }

  kill(): void {
    if (this.#isKilled) return
    this.#isKilled = true
    this.#port?.close()
    // A process never ends within the call that kills it, and callers rely on that.
    queueMicrotask(() => this.#end())
  }

  #end(): void {
    const ended = this.#ended
    this.#ended = () => undefined
    ended()
  }
}

/** The hosts; `ask` sends the request for a process of that id to the main process. */
export function createUtilitySandboxHosts(
  ask: (id: number, program: GuardedProgram) => void,
): UtilitySandboxHosts {
  const waiting = new Map<number, PendingSandbox>()
  let nextId = 1
  const start = (program: GuardedProgram): GuardedProcess => {
    const id = nextId++
    const sandbox = new PendingSandbox()
    waiting.set(id, sandbox)
    ask(id, program)
    // Methods are handed on bound: callers take them apart.
    return {
      send: (text) => sandbox.send(text),
      onText: (receive) => sandbox.onText(receive),
      onExit: (receive) => sandbox.onExit(receive),
      kill: () => sandbox.kill(),
    }
  }
  return {
    of: (program) => ({ start: () => start(program) }),
    arrived: (id, port) => {
      const sandbox = waiting.get(id)
      waiting.delete(id)
      if (sandbox === undefined) port.close()
      else sandbox.connect(port)
    },
  }
}
