/** Read file: hands on the content of a file. */

import { z } from 'zod'
import { encodingField } from '../../model/file-fields.ts'
import { lazily } from '../../model/lazily.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    path: z.string().min(1).meta({
      title: 'File',
      description: 'Relative paths start at the folder of the workflow.',
      widget: 'path',
      placeholder: 'data/orders.csv',
    }),
    format: z
      .enum(['text', 'lines', 'json', 'base64'])
      .default('text')
      .meta({
        title: 'Read it as',
        choices: {
          text: { title: 'One text' },
          lines: { title: 'A list of lines' },
          json: { title: 'JSON' },
          base64: { title: 'Base64', hint: 'For pictures and other binary files.' },
        },
      }),
    encoding: encodingField(),
    maxBytes: z.int().min(1).max(taskOutputBytesMax).default(5_000_000).meta({
      title: 'Largest file',
      description: 'In bytes. A larger file fails the step.',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of a file to read. */
export type ReadFileParameters = z.infer<ReturnType<typeof parameters>>

export const readFileSpec = {
  kind: 'read-file',
  title: 'Read file',
  description: 'Hands on path, size and content of a file.',
  icon: 'file-text',
  category: 'files',
  keywords: ['read', 'file', 'load', 'open', 'import', 'text', 'json', 'disk'],
  get parameters() {
    return parameters()
  },
  defaults: { path: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [{ what: 'paths', field: 'path' }],
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'path', 'a file')),
} satisfies TaskSpec<ReadFileParameters>
