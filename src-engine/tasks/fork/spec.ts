/** Fork: hands what arrived to several branches that go on at the same time. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'

const branchesMax = 50

const parameters = lazily(() =>
  z.strictObject({
    branches: z
      .array(
        z.object({
          title: z.string().default('').meta({ title: 'Name', description: 'Shown on the way out.' }),
        }),
      )
      .min(1)
      .max(branchesMax)
      .meta({ title: 'Branches', description: 'All of them start at once with the same data.' }),
  }),
)

/** The parameters of a fork. */
export type ForkParameters = z.infer<ReturnType<typeof parameters>>

function branchesOf(raw: JsonObject): readonly unknown[] {
  const branches = raw['branches']
  return Array.isArray(branches) ? branches.slice(0, branchesMax) : []
}

function outputs(raw: JsonObject): readonly PortSpec[] {
  return branchesOf(raw).map((item, index) => {
    const title = isJsonObject(item) ? textParameter(item, 'title') : ''
    return { id: `branch-${index + 1}`, title: title === '' ? `Branch ${index + 1}` : title }
  })
}

export const forkSpec = {
  kind: 'fork',
  title: 'Fork',
  description: 'Starts several branches at the same time.',
  icon: 'git-fork',
  category: 'flow',
  keywords: ['fork', 'parallel', 'split', 'branches', 'concurrent', 'fan out', 'at once'],
  get parameters() {
    return parameters()
  },
  defaults: { branches: [{ title: 'Branch 1' }, { title: 'Branch 2' }] },
  hasInput: true,
  outputs,
  takesSeveralWays: () => true,
  sideEffect: 'pure',
  execution: 'inline',
  summary: (raw) => {
    const count = branchesOf(raw).length
    return count === 1 ? '1 branch' : `${count} branches`
  },
} satisfies TaskSpec<ForkParameters>
