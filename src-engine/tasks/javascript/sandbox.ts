/**
 * Entry of the sandbox process: takes one request, runs its code in QuickJS, answers, and ends. It talks
 * through Electron's parent port where there is one, else through its standard streams.
 */

import { takeTypesOff, takeTypesOffBody } from '../code-task/take-types-off.ts'
import type { TaskGuest } from '../code-task/task-guest.ts'
import { startTaskGuest } from '../code-task/task-guest.ts'
import type { HttpAnswer, TaskGuestRequest } from '../code-task/task-message.ts'
import { openParentLine } from '../parent-line.ts'
import { runGuest } from './guest.ts'
import { newLimitedQuickJs } from './limited-quickjs.ts'
import type { SandboxMessage, SandboxRequest } from './sandbox-message.ts'

const line = openParentLine()
const send = (message: SandboxMessage) => line.send(JSON.stringify(message))
const elapsedMs = () => performance.now()

const module = await newLimitedQuickJs()
/** A task file that waits for answers. */
let task: TaskGuest | null = null

line.onText((text) => {
  // The engine wrote it; nobody else has this end of the line.
  const request = JSON.parse(text) as SandboxRequest | TaskGuestRequest | HttpAnswer
  if ('isDone' in request) end(task?.answer(request) ?? null)
  else if ('isTypeScript' in request) end(startTask(request))
  else end(runCode(request))
})
send({ kind: 'ready' })

function runCode(request: SandboxRequest): SandboxMessage {
  const read = request.hasTypes === true ? takeTypesOffBody(request.code) : { code: request.code }
  return 'kind' in read ? read : runGuest(module, { ...request, code: read.code }, { send, elapsedMs })
}

function startTask(request: TaskGuestRequest): SandboxMessage | null {
  const read = request.isTypeScript ? takeTypesOff(request.code) : { code: request.code }
  if ('kind' in read) return read
  send({ kind: 'code', text: read.code })
  task = startTaskGuest(module, { ...request, code: read.code }, { send, elapsedMs })
  return task.ended()
}

/** Says how it ended, once it has. */
function end(message: SandboxMessage | null): void {
  if (message === null) return
  send(message)
  // On POSIX a pipe is written before this returns; a broken QuickJS must not get the chance to run on.
  process.exitCode = 0
  line.close()
}
