/** Circuit breaker: what is inside isn't tried while it failed too often lately; who comes then goes another way. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'
import { hour, minute, second } from '../../model/time.ts'

/** Every failure within the window is kept. */
const failuresMax = 100
const spanMsMax = 24 * hour

const span = (title: string, description: string, fallback: number) =>
  z.int().min(second).max(spanMsMax).default(fallback).meta({ title, description, widget: 'duration' })

const parameters = lazily(() =>
  z
    .strictObject({
      failures: z.int().min(1).max(failuresMax).default(5).meta({
        title: 'Opens after',
        description: 'So many failures of what is inside.',
      }),
      windowMs: span('Within', 'Failures that are longer ago don’t count.', minute),
      openMs: span('Stays open for', 'Nobody gets in meanwhile. Then a few may try.', 30 * second),
      probes: z.int().min(1).max(20).default(1).meta({
        title: 'Then tries',
        description:
          'So many may get in at first. It closes once all of them succeed; one that fails opens it again.',
      }),
      key: z.unknown().default('').meta({
        title: 'Key',
        description: 'JSONata: each value has a breaker of its own; empty for one for all.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: 'input.customer',
        group: 'Shared with',
      }),
      scope: z
        .enum(['step', 'workspace'])
        .default('step')
        .meta({
          title: 'Is shared with',
          group: 'Shared with',
          choices: {
            step: { title: 'This step in other runs' },
            workspace: {
              title: 'Every circuit breaker with this key',
              hint: 'Of all workflows: give them the same numbers and a key that names what is protected.',
            },
          },
        }),
    })
    .refine(({ scope, key }) => scope === 'step' || (key !== '' && key !== null), {
      path: ['key'],
      message: 'Say which key has the same breaker over all workflows.',
    }),
)

/** The resolved parameters of a circuit breaker; `key` is its expression's value. */
export type CircuitBreakerParameters = z.infer<ReturnType<typeof parameters>>

const ways: readonly PortSpec[] = [
  { id: 'out', title: 'Output' },
  { id: 'open', title: 'Open' },
]

export const circuitBreakerSpec = {
  kind: 'circuit-breaker',
  title: 'Circuit breaker',
  description:
    'Stops trying the steps inside it for a while when they fail too often; then goes another way.',
  icon: 'unplug',
  category: 'flow',
  keywords: ['circuit', 'breaker', 'fuse', 'failures', 'half-open', 'fallback', 'outage', 'protect'],
  get parameters() {
    return parameters()
  },
  defaults: { failures: 5 },
  hasInput: true,
  outputs: () => ways,
  sideEffect: 'pure',
  waitsForClaim: true,
  execution: 'runner',
  summary: (raw) => {
    const key = textParameter(raw, 'key', '')
    const failures = textParameter(raw, 'failures', '5')
    const after = failures === '1' ? 'opens after a failure' : `opens after ${failures} failures`
    return shortened(key === '' ? after : `${after} per ${key}`)
  },
} satisfies TaskSpec<CircuitBreakerParameters>
