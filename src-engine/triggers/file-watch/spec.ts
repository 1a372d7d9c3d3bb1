/** File watch: starts when files of a folder appear, change or go. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    folder: z.string().min(1).meta({
      title: 'Folder',
      description: 'One that is not absolute starts at the folder of the workflow.',
      widget: 'path',
      expressions: false,
    }),
    pattern: z.string().min(1).default('*').meta({
      title: 'Files',
      description: 'A pattern such as *.csv.',
      expressions: false,
    }),
    on: z
      .array(
        z.enum(['add', 'change', 'remove']).meta({
          choices: { add: { title: 'Added' }, change: { title: 'Changed' }, remove: { title: 'Removed' } },
        }),
      )
      .min(1)
      .default(['add'])
      .meta({ title: 'When they are', widget: 'choices', expressions: false }),
    recursive: z.boolean().default(false).meta({ title: 'Also in folders inside it' }),
    filter: z.unknown().default('').meta({
      title: 'Only if',
      description: 'JSONata over the file, or fields that it must have. Empty: every file that fits.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'event.payload.size > 0',
      group: 'What it starts',
    }),
    input: z.unknown().default('').meta({
      title: 'Input',
      description: 'JSONata over the file for what the run gets. Empty: its path, name, change and size.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "path": event.payload.path }',
      group: 'What it starts',
    }),
    settleMs: z.int().min(0).max(600_000).default(1_000).meta({
      title: 'Settle time',
      description: 'A file counts once it has stopped changing for this long.',
      widget: 'duration',
      group: 'Timing',
    }),
    initialScan: z.boolean().default(false).meta({
      title: 'Count files that are already there',
      group: 'Timing',
    }),
  }),
)

/** Which files, and what of them, with the defaults. */
export type FileWatchParameters = z.infer<ReturnType<typeof parameters>>

export const fileWatchSpec = {
  kind: 'file-watch',
  title: 'On a file change',
  description: 'Starts when files of a folder appear, change or go.',
  icon: 'folder-search',
  get parameters() {
    return parameters()
  },
  defaults: { folder: '', pattern: '*' },
  reach: [{ what: 'paths', field: 'folder' }],
  startsOn: (raw) => {
    const { on, recursive } = raw
    const changes = Array.isArray(on) ? on.join(', ') : 'add'
    const within = recursive === true ? ' and in folders inside it' : ''
    return `${textParameter(raw, 'pattern', '*')} in ${textParameter(raw, 'folder')}${within} (${changes})`
  },
  summary: (raw) =>
    shortened(`${textParameter(raw, 'pattern', '*')} in ${textParameter(raw, 'folder', 'a folder')}`),
} satisfies TriggerSpec<FileWatchParameters>
