/** Event: starts when somebody emits an event of this name. */

import { z } from 'zod'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const parameters = z.strictObject({
  name: z.string().min(1).meta({
    title: 'Event',
    description: 'Its name. A star stands for any part: `order.*`.',
    placeholder: 'order.paid',
    expressions: false,
  }),
  filter: z.unknown().default('').meta({
    title: 'Only if',
    description: 'JSONata over the event. Empty: every event of this name.',
    widget: 'expression',
    language: 'jsonata',
    placeholder: 'event.payload.total > 100',
  }),
})

export const eventSpec = {
  kind: 'event',
  title: 'On an event',
  description: 'Starts when an event of this name is emitted.',
  icon: 'radio',
  parameters,
  defaults: { name: '' },
  summary: (raw) => shortened(textParameter(raw, 'name', 'an event')),
} satisfies TriggerSpec<z.infer<typeof parameters>>
