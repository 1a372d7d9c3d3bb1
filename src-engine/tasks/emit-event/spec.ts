/** Emit event: tells all that wait for an event of a name, or one run, that it happened. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    name: z.string().min(1).max(200).meta({
      title: 'Event',
      description: 'The name that waiting steps name.',
      placeholder: 'order-paid',
    }),
    payload: z.unknown().default('').meta({
      title: 'Payload',
      description: 'JSONata for what it carries; empty for the input itself.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "order": input.id }',
    }),
    correlation: z.unknown().default('').meta({
      title: 'Correlation',
      description: 'JSONata for a text or number that waiting steps must name too; empty for none.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'input.orderId',
    }),
    run: z.string().max(4_096).default('').meta({
      title: 'Run',
      description: 'Only this run gets it, and keeps it until it waits for it; empty for all that wait now.',
      placeholder: '{{ input.runId }}',
    }),
    cluster: z.string().max(40).default('').meta({
      title: 'Cluster',
      description:
        'The name of a connection of the machine that works on the step: the event is told there. Empty for where this run is.',
      placeholder: 'production',
      widget: 'cluster',
      group: 'Delivery',
    }),
    messageId: z.string().max(1_000).default('').meta({
      title: 'Message id',
      description: 'Repeats of the same id change nothing; empty for one of this step of this run.',
      group: 'Delivery',
    }),
  }),
)

/** The resolved parameters of an emitted event; `payload` and `correlation` are values. */
export type EmitEventParameters = z.infer<ReturnType<typeof parameters>>

export const emitEventSpec = {
  kind: 'emit-event',
  title: 'Emit event',
  description: 'Tells every step that waits for an event of this name that it happened, and goes on.',
  icon: 'radio-tower',
  category: 'flow',
  keywords: ['emit', 'event', 'publish', 'send', 'signal', 'notify', 'message', 'broadcast', 'trigger'],
  get parameters() {
    return parameters()
  },
  defaults: { name: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [{ what: 'clusters', field: 'cluster' }],
  sideEffect: 'pure',
  waitsForClaim: true,
  execution: 'runner',
  summary: (raw) => {
    const name = textParameter(raw, 'name', 'an event')
    const cluster = textParameter(raw, 'cluster', '')
    return shortened(cluster === '' ? name : `${name} to ${cluster}`)
  },
} satisfies TaskSpec<EmitEventParameters>
