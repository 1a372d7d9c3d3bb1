/** Write file: puts content into a file, all of it or none. */

import { z } from 'zod'
import { encodingField, keepField, undoneByFiles } from '../../model/file-fields.ts'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    path: z.string().min(1).meta({
      title: 'File',
      description: 'Relative paths start at the folder of the workflow. Missing folders are made.',
      widget: 'path',
      placeholder: 'out/report.json',
    }),
    content: z.unknown().meta({
      title: 'Content',
      description: 'What to write. Anything that is not a text is written as JSON.',
      widget: 'multiline',
      placeholder: '{{ input }}',
    }),
    mode: z
      .enum(['write', 'append', 'fail', 'skip'])
      .default('write')
      .meta({
        title: 'If the file exists',
        choices: {
          write: { title: 'Replace it' },
          append: { title: 'Add to its end' },
          fail: { title: 'The step fails' },
          skip: { title: 'Leave it', hint: 'And go on as if all were well.' },
        },
      }),
    format: z
      .enum(['auto', 'text', 'json', 'jsonl', 'base64'])
      .default('auto')
      .meta({
        title: 'Write it as',
        choices: {
          auto: {
            title: 'By what it is',
            hint: 'A text as it is, anything else as JSON that people can read.',
          },
          text: { title: 'Text' },
          json: { title: 'JSON' },
          jsonl: { title: 'JSON, one value per line' },
          base64: {
            title: 'Binary',
            hint: 'The content is Base64 and is written as the bytes it stands for.',
          },
        },
        group: 'Format',
      }),
    encoding: encodingField(),
    byteOrderMark: z
      .boolean()
      .default(false)
      .meta({
        title: 'Begin with a byte order mark',
        description:
          'By it, some Windows programs know that a text is Unicode. Only for a file that is begun anew.',
        when: { encoding: ['utf-8', 'utf-16le'] },
        group: 'Format',
      }),
    keep: keepField(),
  }),
)

/** The resolved parameters of a file to write. */
export type WriteFileParameters = z.infer<ReturnType<typeof parameters>>

export const writeFileSpec = {
  kind: 'write-file',
  title: 'Write file',
  description: 'Writes a file in one piece, never a half of it, and can be undone.',
  icon: 'save',
  category: 'files',
  keywords: ['write', 'file', 'save', 'append', 'export', 'report', 'json', 'disk', 'store'],
  get parameters() {
    return parameters()
  },
  defaults: { path: '', content: '{{ input }}' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [{ what: 'paths', field: 'path' }],
  sideEffect: 'idempotent',
  undoneBy: undoneByFiles,
  execution: 'runner',
  summary: (raw) => {
    const path = textParameter(raw, 'path', 'a file')
    return shortened(raw['mode'] === 'append' ? `append to ${path}` : path)
  },
} satisfies TaskSpec<WriteFileParameters>
