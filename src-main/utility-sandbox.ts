/** Sandboxes for JavaScript steps inside the engine's process of the desktop app: the main process starts them. */

import type { MessagePortMain } from 'electron'
import type { SandboxHost, SandboxProcess } from '../src-engine/tasks/javascript/sandbox-host.ts'

export interface UtilitySandboxHost extends SandboxHost {
  /** Called with the port of a sandbox that was asked for. */
  readonly arrived: (id: number, port: MessagePortMain) => void
}

/** A sandbox from the moment it is asked for: what is sent before its port comes waits. */
class PendingSandbox implements SandboxProcess {
  #port: MessagePortMain | null = null
  #early: string[] = []
  #isKilled = false
  #receive: (text: string) => void = () => undefined
  #ended: () => void = () => undefined

  /** Takes the port; a sandbox that is unwanted by now is ended by closing it. */
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

/** The host; `ask` sends the request for a sandbox of that id to the main process. */
export function createUtilitySandboxHost(ask: (id: number) => void): UtilitySandboxHost {
  const waiting = new Map<number, PendingSandbox>()
  let nextId = 1
  return {
    start: () => {
      const id = nextId++
      const sandbox = new PendingSandbox()
      waiting.set(id, sandbox)
      ask(id)
      // Methods are handed on bound: callers take them apart.
      return {
        send: (text) => sandbox.send(text),
        onText: (receive) => sandbox.onText(receive),
        onExit: (receive) => sandbox.onExit(receive),
        kill: () => sandbox.kill(),
      }
    },
    arrived: (id, port) => {
      const sandbox = waiting.get(id)
      waiting.delete(id)
      if (sandbox === undefined) port.close()
      else sandbox.connect(port)
    },
  }
}
