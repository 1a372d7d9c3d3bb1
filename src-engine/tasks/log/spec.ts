/** Log: writes a line into the log of the run. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    message: z.unknown().meta({
      title: 'Message',
      description: 'What to write. Anything that is not a text is written as JSON.',
      widget: 'multiline',
      placeholder: 'Got {{ $count(input.rows) }} rows',
    }),
    fields: z
      .record(z.string().regex(/^[^\s="]+$/, 'Write a name without spaces.'), z.unknown())
      .default({})
      .meta({
        title: 'Fields',
        description: 'Names and values behind the message, as name=value: a search finds them.',
        widget: 'key-value',
        placeholder: '{{ input.id }}',
      }),
    level: z
      .enum(['debug', 'info', 'warn', 'error'])
      .default('info')
      .meta({
        title: 'Level',
        choices: {
          debug: { title: 'Detail' },
          info: { title: 'Information' },
          warn: { title: 'Warning' },
          error: { title: 'Error' },
        },
      }),
  }),
)

/** The resolved parameters of a log line. */
export type LogParameters = z.infer<ReturnType<typeof parameters>>

export const logSpec = {
  kind: 'log',
  title: 'Log',
  description: 'Writes a line into the log and hands on what arrived.',
  icon: 'scroll-text',
  category: 'debug',
  keywords: ['log', 'print', 'message', 'note', 'trace', 'show', 'debug'],
  get parameters() {
    return parameters()
  },
  defaults: { message: '{{ input }}' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'message', 'a message')),
} satisfies TaskSpec<LogParameters>
