/** The correlation of a signal or event, as it is compared: a text. */

import { SagasmithError } from '../model/errors.ts'
import { plainText } from './json-text.ts'

/** Null for none. Throws `task_input_invalid` for what is neither a text nor a number. */
export function correlationText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  throw new SagasmithError('task_input_invalid', {
    message: `“Correlation” is ${plainText(value)}, which is neither a text nor a number.`,
    hint: 'Give one value, such as input.orderId.',
    details: { field: 'correlation' },
  })
}
