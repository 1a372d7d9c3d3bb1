/** Run status: starts when a run of another workflow, or a step of one, comes to be in a certain state. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'
import type { WatchedStatus } from '../../model/watched-statuses.ts'
import { failingStatuses, runStatusOf, stepStatusOf, watchedStatuses } from '../../model/watched-statuses.ts'

const statusChoices = {
  SUCCEEDED: { title: 'Succeeded' },
  FAILED: { title: 'Failed' },
  TIMED_OUT: { title: 'Timed out' },
  CANCELLED: { title: 'Been cancelled' },
  DENIED: { title: 'Been denied' },
  RUNNING: { title: 'Begun to run' },
  WAITING: { title: 'Begun to wait' },
  PAUSED: { title: 'Been paused' },
  RETRY: { title: 'Failed a try', hint: 'A step only: another try follows.' },
  APPROVAL_REQUIRED: { title: 'Asked a person', hint: 'A step only.' },
  OUTPUT_QUARANTINED: { title: 'Had its output held back', hint: 'A step only.' },
  COMPENSATING: { title: 'Begun to be undone', hint: 'A run only.' },
  COMPENSATED: { title: 'Been undone', hint: 'A run only.' },
  COMPENSATION_FAILED: { title: 'Failed to be undone', hint: 'A run only.' },
  ABANDONED: { title: 'Been given up', hint: 'A run only.' },
} as const satisfies Record<WatchedStatus, { readonly title: string; readonly hint?: string }>

const fields = lazily(() =>
  z.strictObject({
    workflow: z.string().min(1).meta({
      title: 'Workflow',
      description: 'The id of the workflow whose runs are watched. A star stands for any part: `*` is all.',
      expressions: false,
    }),
    node: z.string().default('').meta({
      title: 'Only this step',
      description: 'The id of one of its nodes; a star stands for any part. Empty: the run as a whole.',
      expressions: false,
    }),
    statuses: z
      .array(z.enum(watchedStatuses).meta({ choices: statusChoices }))
      .min(1)
      .default(['SUCCEEDED'])
      .meta({
        title: 'When it has',
        description: 'Each time that it comes to be one of these.',
        widget: 'choices',
        expressions: false,
      }),
    output: z.unknown().default('').meta({
      title: 'Only if its output',
      description: 'JSONata over the event, or fields that the output must have. Empty: any output.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'event.payload.output.total > 100',
      group: 'Only some of them',
    }),
    errors: z
      .array(z.string().min(1).meta({ expressions: false }))
      .max(100)
      .default([])
      .meta({
        title: 'Only these errors',
        description: 'Codes of errors; a star stands for any part: `http_*`. None: any failure.',
        group: 'Only some of them',
      }),
    filter: z.unknown().default('').meta({
      title: 'Only if',
      description:
        'JSONata over the event, or fields that it must have: `input` is what the run was started with, or the step was called with.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'event.payload.input.customer = 7',
      group: 'Only some of them',
    }),
    input: z.unknown().default('').meta({
      title: 'Input',
      description:
        'JSONata over the event for what the run gets. Empty: runId, workflowId, node, status, input, output and error.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "report": event.payload.output }',
    }),
    allowOwn: z.boolean().default(false).meta({
      title: 'Also after its own runs',
      description: `Off, runs of this workflow itself don’t count. On, a chain of them ends after 16.`,
      group: 'Only some of them',
    }),
  }),
)

const wordsOf = (status: WatchedStatus): string => `“${statusChoices[status].title}” (${status})`

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

// What contradicts itself would never start anything.
const parameters = lazily(() =>
  fields().superRefine(({ node, statuses, output, errors }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    const possible = node === '' ? runStatusOf : stepStatusOf
    const never = statuses.filter((status) => possible[status] === null)
    if (never.length > 0)
      fault('statuses', `${node === '' ? 'a run' : 'a step'} never has ${never.map(wordsOf).join(' or ')}`)
    if (!isEmpty(output) && statuses.some((status) => status !== 'SUCCEEDED'))
      fault('output', 'only what has succeeded has an output: watch for nothing else, or use “Only if”')
    if (errors.length > 0 && statuses.some((status) => !failingStatuses.has(status)))
      fault('errors', 'only what failed has an error: watch for “Failed”, “Timed out” or “Been denied”')
  }),
)

/** Which runs, and what of them, with the defaults. */
export type RunStatusParameters = z.infer<ReturnType<typeof parameters>>

export const runStatusSpec = {
  kind: 'run-status',
  title: 'After another run',
  description: 'Starts when a run of another workflow, or one of its steps, ends.',
  icon: 'link',
  get parameters() {
    return parameters()
  },
  defaults: { workflow: '', statuses: ['SUCCEEDED'] },
  startsOn: (raw) => {
    const { statuses, errors, output = '' } = raw
    const listed = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : '')
    const node = textParameter(raw, 'node')
    const whose = `${node === '' ? '' : `${node} of `}${textParameter(raw, 'workflow')}`
    const codes = listed(errors) === '' ? '' : ` with ${listed(errors)}`
    const gave = isEmpty(output)
      ? ''
      : ` and output ${typeof output === 'string' ? output : JSON.stringify(output)}`
    return `${whose}: ${listed(statuses) || 'SUCCEEDED'}${codes}${gave}`
  },
  summary: (raw) => {
    const node = textParameter(raw, 'node')
    const workflow = textParameter(raw, 'workflow', 'another workflow')
    return shortened(node === '' ? `after ${workflow}` : `after ${node} of ${workflow}`)
  },
  problems: (raw, { document }) =>
    textParameter(raw, 'workflow') === document.id && raw['allowOwn'] !== true
      ? [
          {
            code: 'trigger_on_itself',
            field: 'workflow',
            message: 'watches the runs of its own workflow, each of which would start another',
            hint: 'Name another workflow, or allow it with “Also after its own runs”.',
          },
        ]
      : [],
} satisfies TriggerSpec<RunStatusParameters>
