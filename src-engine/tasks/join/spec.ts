/** Join: brings branches together. How it waits is the node's `join` policy, which any node has. */

import { z } from 'zod'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = z.strictObject({})

/** A join has no parameters of its own. */
export type JoinParameters = z.infer<typeof parameters>

export const joinSpec = {
  kind: 'join',
  title: 'Join',
  description: 'Waits for branches and hands on what they brought, keyed by the node it came from.',
  icon: 'git-merge',
  category: 'flow',
  keywords: ['join', 'merge', 'wait', 'collect', 'combine', 'barrier', 'fan in', 'all', 'any'],
  parameters,
  defaults: {},
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'inline',
  summary: () => 'Waits for its branches',
} satisfies TaskSpec<JoinParameters>
