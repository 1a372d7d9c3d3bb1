/** Mutex or semaphore: so many of the bodies with a key are at work at a time, over all runs. */

import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { lineEndOf, lineWaitFields, outputsAfterLine } from '../../model/line-wait-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { CountedStart, TaskSpec } from '../../model/task-spec.ts'
import { day } from '../../model/time.ts'

const leaseMsMax = 366 * day
/** Every holder is looked at by who asks for a place. */
const permitsMax = 1_000

const parameters = lazily(() =>
  z
    .strictObject({
      permits: z.number().int().min(1).max(permitsMax).default(1).meta({
        title: 'At a time',
        description: 'How many may be inside at once; with 1 nobody else is.',
      }),
      key: z.unknown().default('').meta({
        title: 'Key',
        description: 'JSONata: only who has the same value shares the places; empty for all together.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: 'input.account',
      }),
      scope: z
        .enum(['step', 'workspace'])
        .default('step')
        .meta({
          title: 'Shares its places with',
          choices: {
            step: { title: 'This step in other runs' },
            workspace: {
              title: 'Every mutex or semaphore with this key',
              hint: 'Of all workflows: give them the same number and a key that names what is protected.',
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
            skip: { title: 'Skip it and what comes after' },
          },
        }),
      ...lineWaitFields,
      leaseMs: z.int().min(1).max(leaseMsMax).optional().meta({
        title: 'Keeps its place at most',
        description:
          'Then the steps inside are stopped, the place comes free, and the step has timed out. Empty: as long as it takes.',
        widget: 'duration',
        expressions: false,
      }),
    })
    .refine(({ scope, key }) => scope === 'step' || (key !== '' && key !== null), {
      path: ['key'],
      message: 'Say which key shares its places over all workflows.',
    }),
)

/** The resolved parameters of a mutex or semaphore; `key` is its expression's value. */
export type SemaphoreParameters = z.infer<ReturnType<typeof parameters>>

/** Null for parameters that don't fit: then the attempt says what is wrong with them. */
function counted(resolved: JsonObject): CountedStart | null {
  const read = parameters().safeParse(resolved)
  if (!read.success) return null
  const { key, scope, permits } = read.data
  return {
    // It came out of JSON.
    key: key === '' ? null : ((key ?? null) as JsonValue),
    isShared: scope === 'workspace',
    count: permits,
    perMs: null,
  }
}

export const semaphoreSpec = {
  kind: 'semaphore',
  title: 'Mutex / semaphore',
  description: 'Lets only so many run the steps inside it at a time, counted over all runs and runners.',
  icon: 'lock',
  category: 'flow',
  keywords: [
    'mutex',
    'semaphore',
    'lock',
    'exclusive',
    'critical section',
    'one at a time',
    'permits',
    'serial',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { permits: 1, onFull: 'wait' },
  hasInput: true,
  outputs: outputsAfterLine,
  sideEffect: 'pure',
  execution: 'runner',
  limit: {
    counted,
    whenFull: ({ onFull }) => (onFull === 'fail' || onFull === 'skip' ? onFull : 'wait'),
    lineEnd: lineEndOf,
    leaseMs: ({ leaseMs }) => (typeof leaseMs === 'number' && leaseMs >= 1 ? leaseMs : null),
  },
  summary: (raw) => {
    const permits = textParameter(raw, 'permits', '1')
    const key = textParameter(raw, 'key', '')
    const many = permits === '1' ? 'one at a time' : `${permits} at a time`
    return shortened(key === '' ? many : `${many} per ${key}`)
  },
} satisfies TaskSpec<SemaphoreParameters>
