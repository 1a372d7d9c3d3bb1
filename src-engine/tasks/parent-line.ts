/**
 * The line of a guarded process to the engine that had it started: Electron's parent port where there is one,
 * else its standard streams, a text per line.
 */

import { readLines } from './text-lines.ts'

/** The part of Electron's `process.parentPort` that is used here. */
interface ParentPort {
  on(event: 'message', receive: (message: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

export interface ParentLine {
  readonly send: (text: string) => void
  readonly onText: (receive: (text: string) => void) => void
  /** Called when the engine has gone; in Electron a process is ended with it and isn't told. */
  readonly onEnd: (ended: () => void) => void
  /** Takes no more texts, so that a process with nothing left to do ends. */
  readonly close: () => void
}

/** The line of this process. */
export function openParentLine(): ParentLine {
  // Electron adds the port to the child's `process`; Node's types don't know it.
  const { parentPort } = process as { readonly parentPort?: ParentPort }
  if (parentPort === undefined) {
    return {
      send: (text) => process.stdout.write(`${text}\n`),
      onText: (receive) => readLines(process.stdin, receive),
      onEnd: (ended) => void process.stdin.once('close', ended),
      close: () => process.stdin.destroy(),
    }
  }
  return {
    send: (text) => parentPort.postMessage(text),
    onText: (receive) => parentPort.on('message', ({ data }) => receive(String(data))),
    onEnd: () => undefined,
    close: () => undefined,
  }
}
