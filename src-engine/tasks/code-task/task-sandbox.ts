/** Runs a function of a task file in a disposable process, and answers its requests. */

import { SagasmithError, toErrorRecord } from '../../model/errors.ts'
import type { Clock } from '../../model/ports.ts'
import { assertNever } from '../../model/result.ts'
import type { Ending } from '../javascript/ending.ts'
import type { SandboxHost, SandboxProcess } from '../javascript/sandbox-host.ts'
import type { SandboxMessage } from '../javascript/sandbox-message.ts'
import { hardLimitFactor, startMsMax } from '../javascript/sandbox-message.ts'
import { parseJson } from '../json-text.ts'
import type { HttpAnswer, TaskGuestRequest } from './task-message.ts'

type Line = Extract<SandboxMessage, { kind: 'log' }>

export interface TaskTalk {
  readonly sandbox: SandboxHost
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly log: (line: Line) => void
  /** Sends a request and gives the JSON text of its response; throws what is handed to the code. */
  readonly http: (request: string, signal: AbortSignal) => Promise<string>
}

/** The code that ran, and how it ended. */
export interface TaskRan {
  readonly ending: Ending
  /** JavaScript. */
  readonly code: string
}

/** Runs it to its end. The process is killed when it doesn't answer in time or the signal is aborted. */
export async function runTask(request: TaskGuestRequest, talk: TaskTalk): Promise<TaskRan> {
  const process = talk.sandbox.start()
  const timeout = new AbortController()
  let cancelLimit = talk.clock.after(startMsMax, () => process.kill())
  let cancelHard = (): void => undefined
  let isSlow = false
  const begin = (): void => {
    cancelLimit()
    cancelLimit = talk.clock.after(request.timeoutMs, () => timeout.abort())
    cancelHard = talk.clock.after(request.timeoutMs * hardLimitFactor, () => {
      isSlow = true
      process.kill()
    })
    process.send(JSON.stringify(request))
  }
  const kill = (): void => process.kill()
  talk.signal.addEventListener('abort', kill, { once: true })
  try {
    const ran = await conversation(process, { request, talk, begin, timeout: timeout.signal })
    return isSlow ? { ...ran, ending: { kind: 'limit', limit: 'time' } } : ran
  } finally {
    cancelLimit()
    cancelHard()
    timeout.abort()
    talk.signal.removeEventListener('abort', kill)
    process.kill()
  }
}

interface Conversation {
  readonly request: TaskGuestRequest
  readonly talk: TaskTalk
  readonly begin: () => void
  readonly timeout: AbortSignal
}

function conversation(process: SandboxProcess, held: Conversation): Promise<TaskRan> {
  const { request, talk, begin, timeout } = held
  const signal = AbortSignal.any([talk.signal, timeout])
  let { code } = request
  return new Promise((resolve) => {
    process.onExit(() => resolve({ ending: { kind: 'gone' }, code }))
    process.onText((text) => {
      const message = messageOf(text)
      switch (message?.kind) {
        case undefined:
        case 'listens':
          return
        case 'ready':
          return begin()
        case 'log':
          return talk.log(message)
        case 'code':
          code = message.text
          return
        case 'http':
          void answered(message, talk, signal).then((answer) => process.send(JSON.stringify(answer)))
          return
        case 'returned':
        case 'threw':
        case 'limit':
          return resolve({ ending: message, code })
        default:
          return assertNever(message)
      }
    })
  })
}

async function answered(
  { id, request }: Extract<SandboxMessage, { kind: 'http' }>,
  { http }: TaskTalk,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  try {
    return { id, isDone: true, text: await http(request, signal) }
  } catch (thrown) {
    const error =
      thrown instanceof SagasmithError ? thrown : new SagasmithError('connection_failed', { cause: thrown })
    const { code, message, hint } = toErrorRecord(error)
    return { id, isDone: false, text: JSON.stringify({ name: code, message: `${message} ${hint}` }) }
  }
}

/** Our own process writes these; what it can't have written is ignored, and its silence has a limit. */
function messageOf(text: string): SandboxMessage | null {
  const message = parseJson(text)
  if (!message.ok || typeof message.value !== 'object' || message.value === null) return null
  return 'kind' in message.value ? (message.value as unknown as SandboxMessage) : null
}
