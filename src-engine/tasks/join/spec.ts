/**
 * Join: brings branches together. For how many it waits is the node's `join` policy, which any node has; how long,
 * and what it makes of what they brought, is its own.
 */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'
import { timeoutPort } from '../../model/workflow.ts'

const isTimed = { onTimeout: ['port', 'fail'] }

const parameters = lazily(() =>
  z.strictObject({
    gather: z
      .enum(['auto', 'object', 'list', 'arrivals', 'deep', 'first'])
      .default('auto')
      .meta({
        title: 'Hands on',
        description: 'What it makes of what the branches brought.',
        expressions: false,
        choices: {
          auto: {
            title: 'By step, or the one thing that came',
            hint: 'An object by the steps it came from; where one branch came, what that brought.',
          },
          object: { title: 'An object by step', hint: 'Also where one branch came.' },
          list: { title: 'A list in the order of the branches', hint: 'As the fork before it has them.' },
          arrivals: { title: 'A list in the order of arrival' },
          deep: {
            title: 'All of it merged into one object',
            hint: 'Objects in objects, too. Of two values for one field the later wins.',
          },
          first: { title: 'What came first' },
        },
      }),
    onTimeout: z
      .enum(['wait', 'port', 'fail'])
      .default('wait')
      .meta({
        title: 'When branches are late',
        group: 'Time',
        expressions: false,
        choices: {
          wait: { title: 'Wait for them' },
          port: { title: 'Leave by the timeout way', hint: 'With what has come so far.' },
          fail: { title: 'Fail', hint: 'The step ends, by its error way if it has one.' },
        },
      }),
    amount: z.number().min(0).max(1_000_000_000).default(1).meta({
      title: 'Amount',
      description: 'How long to wait, from the first branch that comes.',
      group: 'Time',
      expressions: false,
      when: isTimed,
    }),
    unit: z
      .enum(['milliseconds', 'seconds', 'minutes', 'hours', 'days'])
      .default('hours')
      .meta({ title: 'Unit', group: 'Time', expressions: false, when: isTimed }),
    late: z
      .enum(['finish', 'cancel'])
      .default('finish')
      .meta({
        title: 'Branches that are late',
        group: 'Time',
        expressions: false,
        choices: {
          finish: { title: 'Go on to their end', hint: 'What they bring changes nothing here.' },
          cancel: { title: 'Are cancelled' },
        },
        when: isTimed,
      }),
  }),
)

/** The parameters of a join. */
export type JoinParameters = z.infer<ReturnType<typeof parameters>>

const [branches] = singleOutput
const withTimeout: readonly PortSpec[] = [
  ...(branches === undefined ? [] : [branches]),
  { id: timeoutPort, title: 'Timeout' },
]

const summaries: Readonly<Record<string, string>> = {
  object: 'Waits for its branches, by step',
  list: 'Waits for its branches, as a list',
  arrivals: 'Waits for its branches, as they come',
  deep: 'Waits for its branches, merged',
  first: 'Waits for its branches, takes the first',
}

export const joinSpec = {
  kind: 'join',
  title: 'Join',
  description: 'Waits for branches and hands on what they brought, by step, as a list, or merged.',
  icon: 'git-merge',
  category: 'flow',
  keywords: ['join', 'merge', 'wait', 'collect', 'combine', 'barrier', 'fan in', 'all', 'any', 'timeout'],
  get parameters() {
    return parameters()
  },
  defaults: {},
  hasInput: true,
  outputs: (raw) => (raw['onTimeout'] === 'port' ? withTimeout : singleOutput),
  sideEffect: 'pure',
  execution: 'inline',
  summary: (raw) => summaries[textParameter(raw, 'gather')] ?? 'Waits for its branches',
} satisfies TaskSpec<JoinParameters>
