/** Transform: one JSONata expression makes new data from what arrived. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    expression: z.unknown().meta({
      title: 'Expression',
      description: 'JSONata. Its value is the output of the step. See `input`, `nodes`, `vars` and `run`.',
      widget: 'expression',
      language: 'jsonata',
      mapped: true,
      placeholder: '{ "total": $sum(input.rows.price) }',
    }),
  }),
)

/** The resolved parameters of a transform: the expression's value. */
export type TransformParameters = z.infer<ReturnType<typeof parameters>>

export const transformSpec = {
  kind: 'transform',
  title: 'Transform',
  description: 'Makes new data of what arrived: field by field, or with one JSONata expression.',
  icon: 'wand-sparkles',
  category: 'data',
  keywords: [
    'transform',
    'map',
    'filter',
    'jsonata',
    'expression',
    'reshape',
    'pick',
    'rename',
    'sum',
    'merge',
    'fields',
    'template',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { expression: 'input' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'expression', 'an expression')),
} satisfies TaskSpec<TransformParameters>
