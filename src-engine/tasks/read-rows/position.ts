/** Where a batch ended, as the next one is told. */

import { z } from 'zod'
import { SagasmithError } from '../../model/errors.ts'

const position = z.strictObject({
  /** The first byte that wasn't read; of a page, the first row. */
  at: z.int().min(0),
  /** The line that begins there, counted from 1. */
  line: z.int().min(1),
  /** The row with the names, as it stands in the file. */
  header: z.string(),
  /** In XML: the elements that are open there, from the outermost in. */
  open: z.array(z.string()).default([]),
  /** What the file was like: another one has no such place. */
  bytes: z.number(),
  changedMs: z.number(),
})

export type RowPosition = z.infer<typeof position>

/** The position in a value; null for none. Throws `task_input_invalid` for anything else. */
export function positionOf(value: unknown): RowPosition | null {
  if (value === undefined || value === null || value === '') return null
  const found = position.safeParse(value)
  if (found.success) return found.data
  throw wrongPosition()
}

/** Where to go on from is no end of a batch of this file. */
export function wrongPosition(): SagasmithError {
  return new SagasmithError('task_input_invalid', {
    message: '“Go on from” is not the end of a batch.',
    hint: 'Hand on what the batch before says under “next”: loop.value.next.',
    details: { field: 'from' },
  })
}
