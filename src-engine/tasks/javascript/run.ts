/** Runs the user's code in a disposable process and hands on what it returned. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import { assertNever } from '../../model/result.ts'
import { throwIfAborted } from '../abort.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { SandboxProcess } from './sandbox-host.ts'
import type { SandboxMessage, SandboxRequest } from './sandbox-message.ts'
import { hardLimitFactor, startMsMax } from './sandbox-message.ts'
import type { JavaScriptParameters } from './spec.ts'

type Ending = Exclude<SandboxMessage, { kind: 'ready' } | { kind: 'log' }> | { readonly kind: 'gone' }

/** The JavaScript step with what it needs from outside. */
export function createJavaScriptRun(ports: Pick<TaskPorts, 'sandbox'>): TaskRun<JavaScriptParameters> {
  return {
    async execute(parameters, context) {
      throwIfAborted(context.signal)
      const sandbox = ports.sandbox.start()
      try {
        const ending = await answered(sandbox, requestOf(parameters, context), context)
        throwIfAborted(context.signal)
        return completed(valueOf(ending, parameters))
      } finally {
        sandbox.kill()
      }
    },
  }
}

function requestOf(parameters: JavaScriptParameters, context: TaskContext): SandboxRequest {
  const { now } = context.run
  const frozen = typeof now === 'string' ? Date.parse(now) : now
  return {
    code: parameters.code,
    input: JSON.stringify(context.input),
    run: JSON.stringify(context.run),
    vars: JSON.stringify(context.vars),
    timeoutMs: parameters.timeoutMs,
    memoryBytes: parameters.memoryMb * 1024 * 1024,
    now: typeof frozen === 'number' && Number.isFinite(frozen) ? frozen : context.clock.now(),
    seed: Math.floor(context.random.next() * 2 ** 32),
  }
}

/** How the code ended. The process is killed when it doesn't answer in time or the attempt is cancelled. */
function answered(sandbox: SandboxProcess, request: SandboxRequest, context: TaskContext): Promise<Ending> {
  return new Promise((resolve) => {
    let cancelLimit = context.clock.after(startMsMax, () => stop({ kind: 'gone' }))
    const abort = () => stop({ kind: 'gone' })
    const stop = (ending: Ending) => {
      cancelLimit()
      context.signal.removeEventListener('abort', abort)
      sandbox.kill()
      resolve(ending)
    }
    context.signal.addEventListener('abort', abort, { once: true })
    sandbox.onExit(() => stop({ kind: 'gone' }))
    sandbox.onText((text) => {
      const message = messageOf(text)
      if (message === null) return
      if (message.kind === 'ready') {
        cancelLimit()
        const hardLimitMs = request.timeoutMs * hardLimitFactor
        cancelLimit = context.clock.after(hardLimitMs, () => stop({ kind: 'limit', limit: 'time' }))
        sandbox.send(JSON.stringify(request))
      } else if (message.kind === 'log') {
        context.log({ level: message.level, stream: 'console', text: message.text })
      } else stop(message)
    })
  })
}

/** Our own process writes these; what it can't have written is ignored, and its silence has a limit. */
function messageOf(text: string): SandboxMessage | null {
  const message = parseJson(text)
  if (!message.ok || typeof message.value !== 'object' || message.value === null) return null
  return 'kind' in message.value ? (message.value as unknown as SandboxMessage) : null
}

function valueOf(ending: Ending, parameters: JavaScriptParameters): JsonValue {
  switch (ending.kind) {
    case 'returned':
      return ending.json === null ? null : returnedValue(ending.json)
    case 'threw':
      throw thrownError(ending)
    case 'limit':
      throw limitError(ending.limit, parameters)
    case 'gone':
      throw new SagasmithError('script_limit', {
        message: 'The process of the code ended before its code did, most likely for lack of memory.',
      })
    default:
      return assertNever(ending)
  }
}

function returnedValue(json: string): JsonValue {
  if (json.length > taskOutputBytesMax) {
    throw new SagasmithError('task_output_too_large', {
      message: `The code returned more than ${taskOutputBytesMax} bytes.`,
      details: { bytesMax: taskOutputBytesMax },
    })
  }
  const value = parseJson(json)
  if (value.ok) return value.value
  throw new SagasmithError('script_failed', { message: 'The code returned something that is not data.' })
}

function thrownError(thrown: Extract<SandboxMessage, { kind: 'threw' }>): SagasmithError {
  const place = thrown.line === null ? '' : `Line ${thrown.line}: `
  const isSyntax = thrown.name === 'SyntaxError'
  return new SagasmithError('script_failed', {
    message: `${place}${thrown.name === 'Error' ? '' : `${thrown.name}: `}${thrown.message}`,
    details: { name: thrown.name, line: thrown.line },
    // Code that can't be read is the same the next time.
    retryable: !isSyntax,
  })
}

function limitError(limit: 'time' | 'memory' | 'stack', parameters: JavaScriptParameters): SagasmithError {
  const messages = {
    time: `The code took longer than its limit of ${parameters.timeoutMs} ms and was stopped.`,
    memory: `The code needed more memory than its limit of ${parameters.memoryMb} MB.`,
    stack: 'The code called itself too deeply, or worked on data that is nested too deeply.',
  }
  return new SagasmithError('script_limit', { message: messages[limit], details: { limit } })
}
