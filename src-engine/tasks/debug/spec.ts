/** Debug helper: fails, waits and makes up data on demand, to try out retries and error ways. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { spanText } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    failTimes: z.int().min(0).max(1_000).default(0).meta({
      title: 'Fail this often',
      description: 'The first attempts fail; the one after them succeeds.',
    }),
    failMessage: z.string().default('').meta({
      title: 'Failure message',
      description: 'What the error says. Empty: a message that names the attempt.',
    }),
    retryable: z.boolean().default(true).meta({
      title: 'Worth a retry',
      description: 'Without it the first failure ends the step, whatever its retries.',
    }),
    sleepMs: z.int().min(0).max(3_600_000).default(0).meta({
      title: 'Work for',
      description: 'How long an attempt takes before it fails or succeeds.',
      widget: 'duration',
    }),
    produce: z
      .enum(['input', 'random', 'value'])
      .default('input')
      .meta({
        title: 'Hand on',
        choices: {
          input: { title: 'What arrived' },
          random: { title: 'Made-up records', hint: 'Names, numbers and dates that look real.' },
          value: { title: 'A value of your own' },
        },
      }),
    items: z
      .int()
      .min(0)
      .max(10_000)
      .default(10)
      .meta({
        title: 'Made-up records',
        description: 'How many.',
        when: { produce: ['random'] },
      }),
    value: z
      .unknown()
      .default(null)
      .meta({
        title: 'Value',
        description: 'What to hand on.',
        widget: 'code',
        language: 'json',
        when: { produce: ['value'] },
      }),
  }),
)

/** The resolved parameters of a debug helper. */
export type DebugParameters = z.infer<ReturnType<typeof parameters>>

function summary(raw: JsonObject): string {
  const parts: string[] = []
  const { failTimes, sleepMs, produce } = raw
  if (typeof sleepMs === 'number' && sleepMs > 0) parts.push(`works ${spanText(sleepMs)}`)
  if (typeof failTimes === 'number' && failTimes > 0) parts.push(`fails ${failTimes}×`)
  if (produce === 'random') parts.push('random data')
  return parts.length === 0 ? 'hands its input on' : parts.join(', ')
}

export const debugSpec = {
  kind: 'debug',
  title: 'Debug helper',
  description: 'Fails a few times, takes its time or makes up data, to try out a workflow.',
  icon: 'bug',
  category: 'debug',
  keywords: ['debug', 'test', 'fail', 'error', 'sleep', 'random', 'fake', 'mock', 'sample data', 'throw'],
  get parameters() {
    return parameters()
  },
  defaults: { failTimes: 0, sleepMs: 0 },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary,
} satisfies TaskSpec<DebugParameters>
