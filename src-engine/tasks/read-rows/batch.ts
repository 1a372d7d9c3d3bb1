/** What a batch is read with, and what it gives. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import type { RowPosition } from './position.ts'

/** Where a batch begins. */
export type RowPlace = Omit<RowPosition, 'bytes' | 'changedMs'>

/** What is asked of a file. */
export interface BatchWanted {
  readonly from: RowPlace
  readonly rows: number
  readonly bytesMax: number
  readonly signal: AbortSignal
}

/** Rows, and where the next ones begin; null when there are none. */
export interface Batch {
  readonly rows: readonly JsonValue[]
  readonly next: RowPlace | null
}

/** A single row is longer than a batch may be. */
export function rowTooLarge(bytesMax: number, at: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `A row has more than ${bytesMax} bytes.`,
    hint: 'Raise “Largest batch”, or look for a quote, an element or a document that isn’t closed.',
    details: { bytesMax, at },
  })
}
