/** The refusal of a row that no batch has room for. */

import { SagasmithError } from '../../model/errors.ts'

/** A single row is longer than a batch may be. */
export function rowTooLarge(bytesMax: number, at: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `A row has more than ${bytesMax} bytes.`,
    hint: 'Raise “Largest batch”, or look for a quote, an element or a document that isn’t closed.',
    details: { bytesMax, at },
  })
}
