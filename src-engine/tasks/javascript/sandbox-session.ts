/** What a sandbox does with its line: takes one request, runs its code in QuickJS, answers, and closes the line. */

import { setImmediate as setImmediateAsync } from 'node:timers/promises'
import type { QuickJSWASMModule } from 'quickjs-emscripten'
import { takeTypesOff, takeTypesOffBody } from '../code-task/take-types-off.ts'
import type { TaskGuest } from '../code-task/task-guest.ts'
import { startTaskGuest } from '../code-task/task-guest.ts'
import type { HttpAnswer, TaskGuestRequest } from '../code-task/task-message.ts'
import type { ParentLine } from '../parent-line.ts'
import { runGuest } from './guest.ts'
import { splitImports } from './guest-code.ts'
import type { SandboxMessage, SandboxRequest, StopRequest } from './sandbox-message.ts'

/** Of the line to the engine. */
export type SandboxLine = Pick<ParentLine, 'send' | 'onText' | 'close'>

/** Says that it is ready, and serves the request that comes, whose time is measured by `elapsedMs`. */
export function serveSandbox(module: QuickJSWASMModule, line: SandboxLine, elapsedMs: () => number): void {
  const send = (message: SandboxMessage): void => line.send(JSON.stringify(message))
  const ports = { send, elapsedMs }
  /** A task file that waits for answers. */
  let task: TaskGuest | null = null
  /** Asked of code that is at work. */
  let stop: StopRequest | null = null
  const turns = { next: setImmediateAsync, stopAsked: () => stop }

  const runCode = async (request: SandboxRequest): Promise<SandboxMessage> => {
    const read = request.hasTypes === true ? withoutTypes(request.code) : { code: request.code }
    return 'kind' in read ? read : runGuest(module, { ...request, code: read.code }, { ...ports, turns })
  }
  const startTask = (request: TaskGuestRequest): SandboxMessage | null => {
    const read = request.isTypeScript ? takeTypesOff(request.code) : { code: request.code }
    if ('kind' in read) return read
    send({ kind: 'code', text: read.code })
    task = startTaskGuest(module, { ...request, code: read.code }, ports)
    return task.ended()
  }
  /** Says how it ended, once it has. */
  const end = (message: SandboxMessage | null): void => {
    if (message === null) return
    send(message)
    line.close()
  }
  line.onText((text) => {
    // The engine wrote it; nobody else has this end of the line.
    const request = JSON.parse(text) as SandboxRequest | TaskGuestRequest | HttpAnswer | StopRequest
    if ('stop' in request) stop = request
    else if ('isDone' in request) end(task?.answer(request) ?? null)
    else if ('isTypeScript' in request) end(startTask(request))
    else void runCode(request).then(end)
  })
  send({ kind: 'ready' })
}

/** Imports stand outside of the function that the rest is the body of. */
function withoutTypes(code: string): { readonly code: string } | SandboxMessage {
  const { imports, body } = splitImports(code)
  const head = imports === '' ? { code: '' } : takeTypesOff(imports)
  if ('kind' in head) return head
  const rest = takeTypesOffBody(body)
  return 'kind' in rest ? rest : { code: head.code + rest.code.slice(lineEndsOf(imports)) }
}

const lineEndsOf = (text: string): number => text.split('\n').length - 1
