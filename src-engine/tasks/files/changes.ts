/** What a step did to files, so that it can be taken back. */

import { z } from 'zod'
import { SagasmithError } from '../../model/errors.ts'

const change = z.discriminatedUnion('kind', [
  /** Something came there; with what it was, so that nobody's later work is removed. */
  z.strictObject({
    kind: z.literal('made'),
    path: z.string().min(1),
    bytes: z.number(),
    changedMs: z.number(),
  }),
  z.strictObject({ kind: z.literal('moved'), from: z.string().min(1), to: z.string().min(1) }),
  /** What was at `path` is at `kept`. */
  z.strictObject({ kind: z.literal('kept'), path: z.string().min(1), kept: z.string().min(1) }),
])

export type FileChange = z.infer<typeof change>

/** The changes that a step told. Throws `task_input_invalid`. */
export function fileChanges(value: unknown): readonly FileChange[] {
  const found = z.array(change).safeParse(value)
  if (found.success) return found.data
  throw new SagasmithError('task_input_invalid', {
    message: 'These are no changes of files.',
    hint: 'Hand on what a step with files says under “undo”: {{ original.output.undo }}.',
    details: { field: 'changes' },
  })
}
