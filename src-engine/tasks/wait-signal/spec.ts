/** Wait for signal: stands still until somebody sends the run a message of that name. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { bufferedSignalsMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    name: z.string().min(1).max(200).meta({
      title: 'Signal',
      description: 'The name that the sender gives.',
      placeholder: 'approved',
    }),
    correlation: z.unknown().default('').meta({
      title: 'Correlation',
      description:
        'JSONata for a text or number that the signal must carry too; empty for signals without one.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'input.orderId',
    }),
    count: z.int().min(1).max(bufferedSignalsMax).default(1).meta({
      title: 'Signals',
      description: 'How many it waits for. More than one are handed on as a list, in the order they came.',
    }),
    check: z
      .enum(['none', 'schema'])
      .default('none')
      .meta({
        title: 'It must fit',
        expressions: false,
        group: 'What is taken',
        choices: { none: { title: 'Nothing' }, schema: { title: 'A JSON Schema' } },
      }),
    schema: z
      .unknown()
      .default(null)
      .meta({
        title: 'JSON Schema',
        description: 'Of what the signal carries.',
        widget: 'code',
        language: 'json',
        expressions: false,
        group: 'What is taken',
        when: { check: ['schema'] },
      }),
    onMisfit: z
      .enum(['refuse', 'fail'])
      .default('refuse')
      .meta({
        title: 'When it doesn’t fit',
        expressions: false,
        group: 'What is taken',
        choices: {
          refuse: { title: 'Refuse it', hint: 'The sender is told why, and the step waits on.' },
          fail: { title: 'Fail', hint: 'The step ends, by its error way if it has one.' },
        },
        when: { check: ['schema'] },
      }),
    onTimeout: z
      .enum(['wait', 'port', 'fail'])
      .default('wait')
      .meta({
        title: 'When nothing comes',
        group: 'Time',
        choices: {
          wait: { title: 'Wait for ever' },
          port: { title: 'Leave by the timeout way' },
          fail: { title: 'Fail' },
        },
      }),
    amount: z
      .number()
      .min(0)
      .max(1_000_000_000)
      .default(1)
      .meta({
        title: 'Amount',
        description: 'How long to wait for it.',
        group: 'Time',
        when: { onTimeout: ['port', 'fail'] },
      }),
    unit: z
      .enum(['milliseconds', 'seconds', 'minutes', 'hours', 'days'])
      .default('hours')
      .meta({ title: 'Unit', group: 'Time', when: { onTimeout: ['port', 'fail'] } }),
  }),
)

/** The resolved parameters of a wait for a signal; `correlation` is its expression's value. */
export type WaitSignalParameters = z.infer<ReturnType<typeof parameters>>

const signalPort: PortSpec = { id: 'out', title: 'Signal' }
const onlySignal: readonly PortSpec[] = [signalPort]
const withTimeout: readonly PortSpec[] = [signalPort, { id: 'timeout', title: 'Timeout' }]

export const waitSignalSpec = {
  kind: 'wait-signal',
  title: 'Wait for signal',
  description: 'Waits for a message from outside and hands on what it carries. Early ones are kept.',
  icon: 'radio',
  category: 'flow',
  keywords: ['signal', 'wait', 'message', 'event', 'callback', 'external', 'resume', 'correlation'],
  get parameters() {
    return parameters()
  },
  defaults: { name: '', onTimeout: 'wait' },
  hasInput: true,
  outputs: (raw) => (raw['onTimeout'] === 'port' ? withTimeout : onlySignal),
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => {
    const count = typeof raw['count'] === 'number' && raw['count'] > 1 ? `${raw['count']} × ` : ''
    return shortened(`${count}${textParameter(raw, 'name', 'a signal')}`)
  },
} satisfies TaskSpec<WaitSignalParameters>
