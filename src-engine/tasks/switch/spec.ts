/** Switch: sends what arrived the way of the first case that holds, or of all of them. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'

const casesMax = 50

const parameters = lazily(() =>
  z.strictObject({
    cases: z
      .array(
        z.object({
          title: z.string().default('').meta({ title: 'Name', description: 'Shown on the way out.' }),
          when: z.unknown().meta({
            title: 'When',
            description: 'JSONata. The case matches when this is true.',
            widget: 'expression',
            language: 'jsonata',
            placeholder: 'input.country = "NL"',
          }),
        }),
      )
      .min(1)
      .max(casesMax)
      .meta({ title: 'Cases', description: 'Tried from top to bottom.' }),
    match: z
      .enum(['first', 'all'])
      .default('first')
      .meta({
        title: 'Take',
        choices: {
          first: { title: 'The first case that matches' },
          all: { title: 'Every case that matches' },
        },
      }),
    hasDefault: z.boolean().default(true).meta({
      title: 'Default way out',
      description: 'Taken when no case matches. Without it, that fails the step.',
    }),
  }),
)

/** The resolved parameters of a switch; each `when` is its expression's value. */
export type SwitchParameters = z.infer<ReturnType<typeof parameters>>

/** The way out when no case matches. */
export const defaultPort = 'default'

/** The id of the way out of a case, counted from 0. */
export const casePort = (index: number): string => `case-${index + 1}`

function outputs(raw: JsonObject): readonly PortSpec[] {
  const cases = Array.isArray(raw['cases']) ? (raw['cases'] as readonly unknown[]) : []
  const ports = cases.slice(0, casesMax).map((item, index) => {
    const title = isJsonObject(item) ? textParameter(item, 'title') : ''
    return { id: casePort(index), title: title === '' ? `Case ${index + 1}` : title }
  })
  return raw['hasDefault'] === false ? ports : [...ports, { id: defaultPort, title: 'Default' }]
}

export const switchSpec = {
  kind: 'switch',
  title: 'Switch',
  description: 'Goes the way of the first case that matches, or of every one that does.',
  icon: 'route',
  category: 'flow',
  keywords: ['switch', 'case', 'router', 'branch', 'decision', 'choose', 'match', 'rules'],
  get parameters() {
    return parameters()
  },
  defaults: { cases: [{ title: 'First' }], match: 'first' },
  hasInput: true,
  outputs,
  takesSeveralWays: (raw) => raw['match'] === 'all',
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => {
    const count = Array.isArray(raw['cases']) ? raw['cases'].length : 0
    const cases = count === 1 ? '1 case' : `${count} cases`
    return raw['match'] === 'all' ? `${cases}, every match` : `${cases}, first match`
  },
} satisfies TaskSpec<SwitchParameters>
