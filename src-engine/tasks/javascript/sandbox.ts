/**
 * Entry of the sandbox process: takes one request, runs its code in QuickJS, answers, and ends. It talks
 * through Electron's parent port where there is one, else through its standard streams.
 */

import { newQuickJSWASMModule } from 'quickjs-emscripten'
import { runGuest } from './guest.ts'
import type { SandboxMessage, SandboxRequest } from './sandbox-message.ts'
import { readLines } from './text-lines.ts'

/** The part of Electron's `process.parentPort` that is used here. */
interface ParentPort {
  on(event: 'message', receive: (message: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

interface Line {
  readonly send: (text: string) => void
  readonly onText: (receive: (text: string) => void) => void
}

function parentLine(port: ParentPort): Line {
  return {
    send: (text) => port.postMessage(text),
    onText: (receive) => port.on('message', ({ data }) => receive(String(data))),
  }
}

function streamLine(): Line {
  return {
    send: (text) => process.stdout.write(`${text}\n`),
    onText: (receive) => readLines(process.stdin, receive),
  }
}

// Electron adds the port to the child's `process`; Node's types don't know it.
const parentPort = (process as { readonly parentPort?: ParentPort }).parentPort
const line = parentPort === undefined ? streamLine() : parentLine(parentPort)
const send = (message: SandboxMessage) => line.send(JSON.stringify(message))

const module = await newQuickJSWASMModule()
line.onText((text) => {
  // The engine wrote it; nobody else has this end of the line.
  const request = JSON.parse(text) as SandboxRequest
  send(runGuest(module, request, { send, elapsedMs: () => performance.now() }))
  // On POSIX a pipe is written before this returns; a broken QuickJS must not get the chance to run on.
  process.exitCode = 0
  if (parentPort === undefined) process.stdin.destroy()
})
send({ kind: 'ready' })
