/** Delay: waits for a span or until an instant, durably and without holding a slot. */

import { z } from 'zod'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = z
  .strictObject({
    mode: z
      .enum(['duration', 'until'])
      .default('duration')
      .meta({
        title: 'Wait',
        choices: { duration: { title: 'For a span of time' }, until: { title: 'Until a moment' } },
      }),
    amount: z
      .number()
      .min(0)
      .max(1_000_000_000)
      .default(1)
      .meta({
        title: 'Amount',
        description: 'How many of the unit.',
        when: { mode: ['duration'] },
      }),
    unit: z
      .enum(['milliseconds', 'seconds', 'minutes', 'hours', 'days'])
      .default('seconds')
      .meta({ title: 'Unit', when: { mode: ['duration'] } }),
    until: z
      .unknown()
      .default('')
      .meta({
        title: 'Until',
        description: 'JSONata for a date such as "2030-01-31T09:00:00Z", or for milliseconds since 1970.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: 'input.dueAt',
        when: { mode: ['until'] },
      }),
  })
  .refine((value) => value.mode === 'duration' || (value.until ?? '') !== '', {
    path: ['until'],
    message: 'Say until when to wait.',
  })

/** The resolved parameters of a delay; `until` is its expression's value. */
export type DelayParameters = z.infer<typeof parameters>

export const delaySpec = {
  kind: 'delay',
  title: 'Delay',
  description: 'Waits for a while or until a moment. Survives restarts and costs nothing meanwhile.',
  icon: 'timer',
  category: 'flow',
  keywords: ['delay', 'wait', 'sleep', 'pause', 'timer', 'until', 'later', 'schedule'],
  parameters,
  defaults: { mode: 'duration', amount: 1, unit: 'seconds' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => {
    if (raw['mode'] === 'until') return shortened(`until ${textParameter(raw, 'until', 'a moment')}`)
    const amount = textParameter(raw, 'amount', '1')
    const unit = textParameter(raw, 'unit', 'seconds')
    return shortened(`${amount} ${amount === '1' ? unit.replace(/s$/, '') : unit}`)
  },
} satisfies TaskSpec<DelayParameters>
