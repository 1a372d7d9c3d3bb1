/**
 * Starts the processes in which JavaScript steps run, on behalf of the engine: in a packaged app only the
 * main process can start any. A port stands for the process; closing it ends the process, and the
 * process's end closes the port.
 */

import type { MessagePortMain, UtilityProcess } from 'electron'

export interface SandboxBrokerDeps {
  readonly fork: () => UtilityProcess
  readonly createChannel: () => { readonly port1: MessagePortMain; readonly port2: MessagePortMain }
  /** Ends a process at once, whatever it is doing. */
  readonly kill: (pid: number) => void
}

/** Starts one sandbox; gives the port that stands for it. */
export function startSandbox({ fork, createChannel, kill }: SandboxBrokerDeps): MessagePortMain {
  const child = fork()
  const { port1, port2 } = createChannel()
  let hasEnded = false
  let isUnwanted = false
  const end = (): void => {
    isUnwanted = true
    // Before `spawn` there is no process id; the handler below ends it then.
    if (!hasEnded && child.pid !== undefined) kill(child.pid)
  }
  child.once('spawn', () => {
    if (isUnwanted) end()
  })
  child.once('exit', () => {
    hasEnded = true
    port1.close()
  })
  child.on('message', (text) => port1.postMessage(text))
  port1.on('message', ({ data }) => child.postMessage(data))
  port1.on('close', end)
  port1.start()
  return port2
}
