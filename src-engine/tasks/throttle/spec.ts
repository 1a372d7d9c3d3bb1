/** Throttle: lets only so many through within a time, over all runs; the others wait their turn, or end. */

import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { lineEndOf, lineWaitFields, outputsAfterLine } from '../../model/line-wait-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { CountedStart, TaskSpec } from '../../model/task-spec.ts'
import { day, hour, minute, second } from '../../model/time.ts'

/** As many places are kept as starts are counted: more would be a burden to every claim. */
const countMax = 10_000

const unitMs = { milliseconds: 1, seconds: second, minutes: minute, hours: hour, days: day }
/** What counts is kept until its time is over. */
const spanMsMax = 31 * day

const parameters = lazily(() =>
  z
    .strictObject({
      count: z.number().int().min(1).max(countMax).default(10).meta({
        title: 'At most',
        description: 'How many may go on within the time, however soon they end.',
      }),
      amount: z.number().positive().max(1_000_000_000).default(1).meta({
        title: 'Within',
        description: 'How many of the unit; 31 days at most.',
      }),
      unit: z
        .enum(['milliseconds', 'seconds', 'minutes', 'hours', 'days'])
        .default('seconds')
        .meta({ title: 'Unit' }),
      key: z.unknown().default('').meta({
        title: 'Key',
        description: 'JSONata: only what has the same value counts together; empty for all together.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: 'input.customer',
      }),
      scope: z
        .enum(['step', 'workspace'])
        .default('step')
        .meta({
          title: 'Counts together with',
          choices: {
            step: { title: 'This step in other runs' },
            workspace: {
              title: 'Every throttle with this key',
              hint: 'Of all workflows: give them the same limit and a key that names what is protected.',
            },
          },
        }),
      onFull: z
        .enum(['wait', 'fail', 'skip'])
        .default('wait')
        .meta({
          title: 'When there is no room',
          choices: {
            wait: { title: 'Wait in line' },
            fail: { title: 'Fail', hint: 'Leaves by the error way where there is one.' },
            skip: { title: 'Skip what comes after' },
          },
        }),
      ...lineWaitFields,
    })
    .refine(({ amount, unit }) => amount * unitMs[unit] <= spanMsMax, {
      path: ['amount'],
      message: 'A throttle counts over 31 days at most.',
    })
    .refine(({ scope, key }) => scope === 'step' || (key !== '' && key !== null), {
      path: ['key'],
      message: 'Say which key counts together over all workflows.',
    }),
)

/** The resolved parameters of a throttle; `key` is its expression's value. */
export type ThrottleParameters = z.infer<ReturnType<typeof parameters>>

/** Null for parameters that don't fit: then the attempt says what is wrong with them. */
function counted(resolved: JsonObject): CountedStart | null {
  const read = parameters().safeParse(resolved)
  if (!read.success) return null
  const { key, scope, count, amount, unit } = read.data
  return {
    // It came out of JSON.
    key: key === '' ? null : ((key ?? null) as JsonValue),
    isShared: scope === 'workspace',
    count,
    perMs: Math.max(1, Math.ceil(amount * unitMs[unit])),
  }
}

export const throttleSpec = {
  kind: 'throttle',
  title: 'Throttle',
  description: 'Lets at most so many through within a time, counted over all runs and runners.',
  icon: 'gauge',
  category: 'flow',
  keywords: ['throttle', 'rate', 'limit', 'slow down', 'per second', 'quota', 'burst', 'backpressure'],
  get parameters() {
    return parameters()
  },
  defaults: { count: 10, amount: 1, unit: 'seconds', onFull: 'wait' },
  hasInput: true,
  outputs: outputsAfterLine,
  sideEffect: 'pure',
  execution: 'runner',
  limit: {
    counted,
    whenFull: ({ onFull }) => (onFull === 'fail' || onFull === 'skip' ? onFull : 'wait'),
    lineEnd: lineEndOf,
  },
  summary: (raw) => {
    const count = textParameter(raw, 'count', '10')
    const amount = textParameter(raw, 'amount', '1')
    const unit = textParameter(raw, 'unit', 'seconds')
    const span = amount === '1' ? unit.replace(/s$/, '') : `${amount} ${unit}`
    return shortened(`${count} per ${span}`)
  },
} satisfies TaskSpec<ThrottleParameters>
