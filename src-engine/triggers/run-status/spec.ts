/** Run status: starts when a run of another workflow ends in a certain way. */

import { z } from 'zod'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const parameters = z.strictObject({
  workflow: z.string().min(1).meta({
    title: 'Workflow',
    description: 'The id of the workflow whose runs are watched.',
    expressions: false,
  }),
  statuses: z
    .array(z.enum(['SUCCEEDED', 'FAILED', 'CANCELLED', 'TIMED_OUT']))
    .min(1)
    .default(['SUCCEEDED'])
    .meta({ title: 'When a run has', description: 'Succeeded, failed, been cancelled or timed out.' }),
  node: z.string().default('').meta({
    title: 'Only this step',
    description: 'The id of one of its nodes. Empty: the run as a whole.',
    expressions: false,
    group: 'Details',
  }),
})

export const runStatusSpec = {
  kind: 'run-status',
  title: 'After another run',
  description: 'Starts when a run of another workflow ends.',
  icon: 'link',
  parameters,
  defaults: { workflow: '', statuses: ['SUCCEEDED'] },
  summary: (raw) => shortened(`after ${textParameter(raw, 'workflow', 'another workflow')}`),
} satisfies TriggerSpec<z.infer<typeof parameters>>
