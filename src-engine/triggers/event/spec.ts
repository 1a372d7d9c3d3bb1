/** Event: starts when somebody emits an event of this name. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { triggerWaitingMax } from '../../model/limits.ts'
import { occurrenceKeyFields } from '../../model/occurrence-key-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    name: z.string().min(1).meta({
      title: 'Event',
      description: 'Its name. A star stands for any part: `order.*`.',
      placeholder: 'order.paid',
      expressions: false,
    }),
    filter: z.unknown().default('').meta({
      title: 'Only if',
      description:
        'JSONata over the event, or fields that its payload must have. Empty: every event of this name.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'event.payload.total > 100',
    }),
    input: z.unknown().default('').meta({
      title: 'Input',
      description: 'JSONata over the event for what the run gets. Empty: what the event carries.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "order": event.payload.id }',
    }),
    overlap: z
      .enum(['allow', 'skip', 'queue', 'cancel-running'])
      .default('allow')
      .meta({
        title: 'If the last run still goes on',
        choices: {
          allow: { title: 'Start beside it' },
          skip: { title: 'Start nothing' },
          queue: { title: 'Wait in line', hint: 'One at a time, in their order; at most 100 wait.' },
          'cancel-running': { title: 'Have it end, and start then' },
        },
        group: 'One at a time',
      }),
    ...occurrenceKeyFields({ placeholder: 'event.payload.order' }),
    debounceMs: z.int().min(0).max(86_400_000).default(0).meta({
      title: 'Wait for quiet',
      description: 'Starts once no other event has come for this long, with the last one.',
      widget: 'duration',
      group: 'Several events together',
    }),
    batchMax: z.int().min(0).max(triggerWaitingMax).default(0).meta({
      title: 'Start with',
      description: 'Starts one run for this many events. 0: one run for each.',
      group: 'Several events together',
    }),
    batchMs: z.int().min(0).max(86_400_000).default(0).meta({
      title: 'At the latest after',
      description:
        'Starts with those that have come since the first of them, however few. 0: a day, where it starts with several.',
      widget: 'duration',
      group: 'Several events together',
    }),
  }),
)

export const eventSpec = {
  kind: 'event',
  title: 'On an event',
  description: 'Starts when an event of this name is emitted.',
  icon: 'radio',
  get parameters() {
    return parameters()
  },
  defaults: { name: '' },
  startsOn: (raw) => textParameter(raw, 'name'),
  summary: (raw) => shortened(textParameter(raw, 'name', 'an event')),
} satisfies TriggerSpec<z.infer<ReturnType<typeof parameters>>>
