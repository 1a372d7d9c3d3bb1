/** Steer runs: asks other runs to end, or sends them a signal; named by id, or all that fit. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { steeredRunsMax } from '../../model/limits.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const isSignal = { action: ['signal'] }
const isFilter = { which: ['filter'] }

const parameters = lazily(() =>
  z.strictObject({
    action: z
      .enum(['cancel', 'signal'])
      .default('cancel')
      .meta({
        title: 'Do',
        expressions: false,
        choices: {
          cancel: {
            title: 'Cancel them',
            hint: 'They are asked to end; what they did is undone as they say.',
          },
          signal: { title: 'Send them a signal', hint: 'A run keeps it until a step of it waits for it.' },
        },
      }),
    which: z
      .enum(['ids', 'filter'])
      .default('ids')
      .meta({
        title: 'To',
        expressions: false,
        choices: { ids: { title: 'Runs by their ids' }, filter: { title: 'All runs that fit' } },
      }),
    runs: z
      .unknown()
      .default('')
      .meta({
        title: 'Runs',
        description: 'JSONata for the id of a run, or for a list of ids.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: 'input.runId',
        when: { which: ['ids'] },
      }),
    workflow: z.string().max(4_096).default('').meta({
      title: 'Of workflow',
      description: 'The id of a workflow; empty for all of them.',
      placeholder: 'wf_nightly-import',
      when: isFilter,
    }),
    state: z
      .enum(['under-way', 'queued', 'running', 'waiting', 'paused'])
      .default('under-way')
      .meta({
        title: 'That are',
        when: isFilter,
        choices: {
          'under-way': { title: 'Under way', hint: 'Whatever they are at; only not ended.' },
          queued: { title: 'Not begun' },
          running: { title: 'Running' },
          waiting: { title: 'Waiting' },
          paused: { title: 'Paused' },
        },
      }),
    match: z.unknown().default('').meta({
      title: 'Whose input has',
      description:
        'JSONata for an object: runs whose input has its fields with these values; empty for any input.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "order": input.order }',
      when: isFilter,
    }),
    olderThan: z.number().min(0).max(1_000_000_000).default(0).meta({
      title: 'Older than',
      description: 'Only runs that were started at least so long ago; 0 for any.',
      when: isFilter,
    }),
    unit: z
      .enum(['seconds', 'minutes', 'hours', 'days'])
      .default('minutes')
      .meta({ title: 'Unit', when: isFilter }),
    name: z.string().max(200).default('').meta({
      title: 'Signal',
      description: 'The name that waiting steps name.',
      placeholder: 'order-paid',
      group: 'Signal',
      when: isSignal,
    }),
    payload: z.unknown().default('').meta({
      title: 'Payload',
      description: 'JSONata for what it carries; empty for the input itself.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "order": input.id }',
      group: 'Signal',
      when: isSignal,
    }),
    correlation: z.unknown().default('').meta({
      title: 'Correlation',
      description: 'JSONata for a text or number that waiting steps must name too; empty for none.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'input.orderId',
      group: 'Signal',
      when: isSignal,
    }),
    reason: z
      .string()
      .max(1_000)
      .default('')
      .meta({
        title: 'Reason',
        description: 'As people read it on the runs that are cancelled.',
        when: { action: ['cancel'] },
      }),
    atMost: z.int().min(1).max(steeredRunsMax).default(10).meta({
      title: 'At most',
      description: 'How many runs it may concern.',
      group: 'Limits',
    }),
    onMore: z
      .enum(['fail', 'some'])
      .default('fail')
      .meta({
        title: 'When there are more',
        group: 'Limits',
        choices: {
          fail: { title: 'Fail', hint: 'Nothing is asked of any of them.' },
          some: { title: 'Only so many', hint: 'Those that were started last.' },
        },
      }),
    itself: z.boolean().default(false).meta({
      title: 'Also this run',
      description: 'And the runs that wait for it. Without this they are left alone, whatever fits.',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of a step that steers runs; `runs`, `payload` and `correlation` are values. */
export type SteerRunsParameters = z.infer<ReturnType<typeof parameters>>

export const steerRunsSpec = {
  kind: 'steer-runs',
  title: 'Cancel or signal runs',
  description:
    'Asks other runs to end, or sends them a signal: by their ids, or all that fit, within a limit.',
  icon: 'octagon-x',
  category: 'flow',
  keywords: [
    'cancel',
    'signal',
    'runs',
    'other run',
    'stop',
    'kill',
    'abort',
    'replace',
    'supersede',
    'bulk',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { action: 'cancel', which: 'ids' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [
    {
      what: 'runs',
      field: 'workflow',
      absent: ({ which }) => (which === 'filter' ? 'runs of all workflows' : 'runs that are named by id'),
    },
  ],
  sideEffect: 'idempotent',
  execution: 'runner',
  summary: (raw) => {
    const verb = raw['action'] === 'signal' ? `signals ${textParameter(raw, 'name', '')} to` : 'cancels'
    if (raw['which'] !== 'filter') return shortened(`${verb} ${textParameter(raw, 'runs', 'runs')}`)
    return shortened(`${verb} runs of ${textParameter(raw, 'workflow', 'all workflows')}`)
  },
} satisfies TaskSpec<SteerRunsParameters>
