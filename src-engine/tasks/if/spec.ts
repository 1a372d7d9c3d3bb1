/** If: sends what arrived one of two ways. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    condition: z.unknown().meta({
      title: 'Condition',
      description: 'JSONata. Nothing, false, 0, an empty text, list or object count as false.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'input.total > 100',
    }),
  }),
)

/** The resolved parameters of an if: the condition's value. */
export type IfParameters = z.infer<ReturnType<typeof parameters>>

const ports: readonly PortSpec[] = [
  { id: 'true', title: 'True' },
  { id: 'false', title: 'False' },
]

export const ifSpec = {
  kind: 'if',
  title: 'If',
  description: 'Goes one of two ways, depending on a condition.',
  icon: 'git-branch',
  category: 'flow',
  keywords: ['if', 'condition', 'branch', 'decision', 'else', 'true', 'false', 'check', 'filter'],
  get parameters() {
    return parameters()
  },
  defaults: {},
  hasInput: true,
  outputs: () => ports,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'condition', 'a condition')),
} satisfies TaskSpec<IfParameters>
