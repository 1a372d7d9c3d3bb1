/** Loop: runs its body again and again, each turn with what the one before gave. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { loopIterationsMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    mode: z
      .enum(['while', 'until', 'count'])
      .default('while')
      .meta({
        title: 'Turns',
        choices: {
          while: { title: 'While a condition holds', hint: 'Asked before each turn: there may be none.' },
          until: { title: 'Until a condition holds', hint: 'Asked after each turn: there is at least one.' },
          count: { title: 'A fixed number of times' },
        },
      }),
    condition: z
      .unknown()
      .default('')
      .meta({
        title: 'Condition',
        description: 'JSONata; sees `loop.index`, `loop.value` and `input`.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: 'loop.value.nextPage != null',
        when: { mode: ['while', 'until'] },
      }),
    count: z
      .int()
      .min(0)
      .max(loopIterationsMax)
      .default(1)
      .meta({
        title: 'Count',
        description: 'How many turns.',
        when: { mode: ['count'] },
      }),
    max: z.int().min(1).max(loopIterationsMax).default(100).meta({
      title: 'At most',
      description: 'More turns than this are not taken, whatever the condition says.',
    }),
    onMax: z
      .enum(['fail', 'continue'])
      .default('fail')
      .meta({
        title: 'At the maximum',
        choices: { fail: { title: 'Fail' }, continue: { title: 'Go on with the last value' } },
      }),
    delay: z.number().min(0).max(1_000_000_000).default(0).meta({
      title: 'Wait between turns',
      description: 'Before each turn but the first. Survives restarts and costs nothing meanwhile.',
      group: 'Pace',
    }),
    unit: z
      .enum(['milliseconds', 'seconds', 'minutes', 'hours', 'days'])
      .default('seconds')
      .meta({ title: 'Unit', group: 'Pace' }),
  }),
)

/** The resolved parameters of a loop; `condition` is its expression's value. */
export type LoopParameters = z.infer<ReturnType<typeof parameters>>

export const loopSpec = {
  kind: 'loop',
  title: 'Loop',
  description: 'Runs the steps inside it again and again, each turn with what the one before gave.',
  icon: 'repeat',
  category: 'flow',
  keywords: ['loop', 'repeat', 'while', 'until', 'again', 'iterate', 'poll', 'pages'],
  get parameters() {
    return parameters()
  },
  defaults: { mode: 'while', condition: '', max: 100, onMax: 'fail' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => {
    const mode = textParameter(raw, 'mode', 'while')
    if (mode === 'count') return `${textParameter(raw, 'count', '1')} times`
    return shortened(`${mode} ${textParameter(raw, 'condition', 'a condition holds')}`)
  },
} satisfies TaskSpec<LoopParameters>
