/** Sub-workflow: starts a run of another workflow and waits for its output, or goes on at once. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    workflow: z.string().min(1).max(4_096).meta({
      title: 'Workflow',
      description: 'The id of a workflow of the library, or the path of its file (it ends in .json).',
      placeholder: './invoice.json',
      widget: 'workflow',
    }),
    input: z.unknown().default('').meta({
      title: 'Input',
      description: 'JSONata for the input of that run; empty for the input itself.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: '{ "order": input.id }',
    }),
    mode: z
      .enum(['wait', 'start'])
      .default('wait')
      .meta({
        title: 'Then',
        choices: {
          wait: {
            title: 'Wait for its end',
            hint: 'And hand on its output. If it fails, so does this step.',
          },
          start: { title: 'Go on at once', hint: 'And hand on the id of its run, which goes on by itself.' },
        },
      }),
    version: z.string().max(200).default('').meta({
      title: 'Version',
      description: 'A published version stays the same whatever is edited later.',
      widget: 'workflow-version',
      group: 'Version',
    }),
  }),
)

/** The resolved parameters of a sub-workflow; `input` is its expression's value. */
export type SubWorkflowParameters = z.infer<ReturnType<typeof parameters>>

export const subWorkflowSpec = {
  kind: 'sub-workflow',
  title: 'Sub-workflow',
  description: 'Runs another workflow as a run of its own and hands on what it gives.',
  icon: 'workflow',
  category: 'flow',
  keywords: ['sub-workflow', 'subflow', 'child', 'call', 'run', 'start', 'nested', 'reuse', 'compose'],
  get parameters() {
    return parameters()
  },
  defaults: { workflow: '', mode: 'wait' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [{ what: 'workflows', field: 'workflow' }],
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'workflow', 'a workflow')),
} satisfies TaskSpec<SubWorkflowParameters>
