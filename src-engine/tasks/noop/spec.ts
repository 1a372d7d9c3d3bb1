/** Do nothing: a durable step that hands on what arrived. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() => z.strictObject({}))

/** Doing nothing needs no parameters. */
export type NoopParameters = z.infer<ReturnType<typeof parameters>>

export const noopSpec = {
  kind: 'noop',
  title: 'Do nothing',
  description: 'Hands on what arrived. Useful as a place to connect things, and as a checkpoint.',
  icon: 'circle-dot',
  category: 'flow',
  keywords: ['nothing', 'noop', 'pass', 'placeholder', 'checkpoint', 'start', 'end', 'empty'],
  get parameters() {
    return parameters()
  },
  defaults: {},
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: () => 'hands its input on',
} satisfies TaskSpec<NoopParameters>
