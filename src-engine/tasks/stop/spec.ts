/** Stop: ends the whole run here, whatever else is under way. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    status: z
      .enum(['succeeded', 'failed', 'cancelled'])
      .default('succeeded')
      .meta({
        title: 'End as',
        description: 'What is still under way is cancelled.',
        choices: {
          succeeded: { title: 'Succeeded' },
          failed: { title: 'Failed' },
          cancelled: { title: 'Cancelled' },
        },
      }),
    output: z
      .unknown()
      .default('')
      .meta({
        title: 'Output',
        description: 'JSONata for the run’s output; empty for the input itself.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: 'input.result',
        when: { status: ['succeeded'] },
      }),
    message: z
      .string()
      .default('')
      .meta({
        title: 'Message',
        description: 'Why, as people read it in the run.',
        when: { status: ['failed'] },
      }),
    code: z
      .string()
      .regex(/^(?:[a-z][a-z0-9_]{0,63})?$/, 'Use up to 64 small letters, digits and “_”, a letter first.')
      .default('')
      .meta({
        title: 'Error code',
        description: 'For programs, and for steps that wait for this run; empty for run_stopped.',
        placeholder: 'out_of_stock',
        when: { status: ['failed'] },
      }),
  }),
)

/** The resolved parameters of a stop; `output` is its expression's value. */
export type StopParameters = z.infer<ReturnType<typeof parameters>>

const noPorts: readonly PortSpec[] = []

export const stopSpec = {
  kind: 'stop',
  title: 'Stop',
  description: 'Ends the run here as succeeded, failed or cancelled; everything else of it is cancelled.',
  icon: 'circle-stop',
  category: 'flow',
  keywords: ['stop', 'end', 'exit', 'return', 'terminate', 'abort', 'finish', 'fail'],
  get parameters() {
    return parameters()
  },
  defaults: { status: 'succeeded' },
  hasInput: true,
  outputs: () => noPorts,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(`ends the run as ${textParameter(raw, 'status', 'succeeded')}`),
} satisfies TaskSpec<StopParameters>
