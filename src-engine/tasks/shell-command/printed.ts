/** What a program printed, in the form that was asked for. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { assertNever } from '../../model/result.ts'
import { linesOf, parseJson, parseJsonLines } from '../json-text.ts'

/** The output as data. Throws `task_failed` for what is not JSON although it should be; `tell` may change what it says. */
export function printedValue(
  text: string,
  form: 'text' | 'lines' | 'json' | 'jsonl' | 'none',
  tell: (text: string) => string = (same) => same,
): JsonValue {
  switch (form) {
    case 'none':
      return null
    case 'text':
      return text
    case 'lines':
      return linesOf(text)
    case 'json':
    case 'jsonl': {
      const parse = form === 'json' ? parseJson : parseJsonLines
      const value = parse(text)
      if (value.ok) return value.value
      // The parser's words hold pieces of the text.
      const told = parse(tell(text))
      throw new SagasmithError('task_failed', {
        message: `What the program printed is not JSON${told.ok ? '.' : `: ${told.error}`}`,
        hint: 'Look at its output in the log, or read the output as text.',
        details: { output: tell(text).slice(0, 2_000) },
        retryable: false,
      })
    }
    default:
      return assertNever(form)
  }
}
