/** How code in a sandbox ended, as the value that it gave or the error that it is. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import { assertNever } from '../../model/result.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext } from '../task.ts'
import { tellable } from '../task.ts'
import type { SandboxMessage } from './sandbox-message.ts'
import { thrownCharsMax } from './sandbox-message.ts'

/** `gone`: its process was ended, or ended by itself. */
export type Ending =
  | Extract<SandboxMessage, { kind: 'returned' | 'threw' | 'limit' }>
  | { readonly kind: 'gone' }

/** What was thrown, cut once no secret is in it any more. */
export function toldEnding(ending: Ending, context: Pick<TaskContext, 'secrets'>): Ending {
  if (ending.kind !== 'threw') return ending
  return { ...ending, message: tellable(context, ending.message).slice(0, thrownCharsMax) }
}

/** What the code was allowed. */
export interface CodeLimits {
  readonly timeoutMs: number
  readonly memoryMb: number
}

/** Whether a message is the last one. */
export const isEnding = (message: SandboxMessage): message is Exclude<Ending, { kind: 'gone' }> =>
  message.kind === 'returned' || message.kind === 'threw' || message.kind === 'limit'

/** What the code gave. Throws `script_failed`, `script_limit`, `task_output_too_large`. */
export function endingValue(ending: Ending, limits: CodeLimits): JsonValue {
  switch (ending.kind) {
    case 'returned':
      return ending.json === null ? null : returnedValue(ending.json)
    case 'threw':
      throw thrownError(ending)
    case 'limit':
      throw limitError(ending.limit, limits)
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

function limitError(limit: 'time' | 'memory' | 'stack', limits: CodeLimits): SagasmithError {
  const messages = {
    time: `The code took longer than its limit of ${limits.timeoutMs} ms and was stopped.`,
    memory: `The code needed more memory than its limit of ${limits.memoryMb} MB.`,
    stack: 'The code called itself too deeply, or worked on data that is nested too deeply.',
  }
  return new SagasmithError('script_limit', { message: messages[limit], details: { limit } })
}
