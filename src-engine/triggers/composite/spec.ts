/** Composite: starts when all of several other triggers of the workflow have occurred, or any of them. */

import { z } from 'zod'
import { compositeKind, conditionsOf } from '../../model/composite.ts'
import { lazily } from '../../model/lazily.ts'
import { triggerConditionsMax } from '../../model/limits.ts'
import { shortened } from '../../model/summary.ts'
import type { TriggerProblem, TriggerSpec } from '../../model/trigger-spec.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'

const parameters = lazily(() =>
  z.strictObject({
    mode: z
      .enum(['all', 'any'])
      .default('all')
      .meta({
        title: 'Starts when',
        choices: { all: { title: 'All of its conditions are met' }, any: { title: 'Any of them is met' } },
      }),
    conditions: z
      .array(z.string().min(1).meta({ expressions: false }))
      .min(1)
      .max(triggerConditionsMax)
      .meta({
        title: 'Conditions',
        description:
          'Other triggers of this workflow, by their keys. They start nothing by themselves while one names them.',
      }),
    keep: z
      .enum(['each', 'newest'])
      .default('each')
      .meta({
        title: 'If one is met again meanwhile',
        choices: {
          each: { title: 'Each counts once', hint: 'They stand in line for the others.' },
          newest: { title: 'Only the newest counts', hint: 'It takes the place of the one before.' },
        },
        group: 'Waiting',
      }),
    expiresMs: z.int().min(0).max(2_678_400_000).default(0).meta({
      title: 'Waits at most',
      description: 'What was met and is still alone after this long counts no more. 0: it waits for ever.',
      widget: 'duration',
      group: 'Waiting',
    }),
    input: z.unknown().default('').meta({
      title: 'Input',
      description:
        'JSONata over the event for what the run gets: `event.payload` has the input of each condition by its key. Empty: that.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "order": event.payload.paid.order }',
    }),
  }),
)

/** What is waited for, and how, with the defaults. */
export type CompositeParameters = z.infer<ReturnType<typeof parameters>>

function problemOf(
  document: WorkflowDocument,
  {
    id,
    place,
    conditions,
  }: { readonly id: string; readonly place: number; readonly conditions: readonly string[] },
): TriggerProblem | null {
  const field = `conditions[${place}]`
  const condition = Object.hasOwn(document.triggers ?? {}, id) ? document.triggers?.[id] : undefined
  if (condition === undefined) {
    const message = `names “${id}” as a condition, and this workflow has no such trigger`
    return { code: 'trigger_condition_unknown', field, message, hint: 'Add that trigger, or take it out.' }
  }
  if (condition.kind === compositeKind || condition.kind === 'manual') {
    const message = `has “${id}” as a condition, and a trigger of the kind “${condition.kind}” can’t be one`
    const hint = 'Name triggers that occur by themselves: events, schedules, webhooks, files, runs.'
    return { code: 'trigger_condition_kind', field, message, hint }
  }
  if (conditions.indexOf(id) === place) return null
  const message = `names the condition “${id}” twice`
  return { code: 'trigger_condition_twice', field, message, hint: 'Take one of them out.' }
}

export const compositeSpec = {
  kind: compositeKind,
  title: 'When several come together',
  description: 'Starts when all of several other triggers have occurred, or any of them.',
  icon: 'git-merge',
  get parameters() {
    return parameters()
  },
  defaults: { mode: 'all', conditions: [] },
  startsOn: (raw) => `${raw['mode'] === 'any' ? 'any' : 'all'} of ${conditionsOf(raw).join(', ')}`,
  summary: (raw) =>
    shortened(conditionsOf(raw).join(raw['mode'] === 'any' ? ' or ' : ' and ') || 'several conditions'),
  problems: (raw, { document }) => {
    const conditions = conditionsOf(raw)
    return conditions.flatMap((id, place) => problemOf(document, { id, place, conditions }) ?? [])
  },
} satisfies TriggerSpec<CompositeParameters>
