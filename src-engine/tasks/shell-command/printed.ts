/** What a program printed, in the form that was asked for. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { assertNever } from '../../model/result.ts'
import { linesOf, parseJson, parseJsonLines } from '../json-text.ts'
import type { ShellCommandParameters } from './spec.ts'

/** The output as data. Throws `task_failed` for what is not JSON although it should be. */
export function printedValue(text: string, form: ShellCommandParameters['output']): JsonValue {
  switch (form) {
    case 'none':
      return null
    case 'text':
      return text
    case 'lines':
      return linesOf(text)
    case 'json':
    case 'jsonl': {
      const value = form === 'json' ? parseJson(text) : parseJsonLines(text)
      if (value.ok) return value.value
      throw new SagasmithError('task_failed', {
        message: `What the program printed is not JSON: ${value.error}`,
        hint: 'Look at its output in the log, or read the output as text.',
        details: { output: text.slice(0, 2_000) },
        retryable: false,
      })
    }
    default:
      return assertNever(form)
  }
}
