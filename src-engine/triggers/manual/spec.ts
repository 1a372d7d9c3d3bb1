/** Manual: a person starts the run, with the workflow's input form. */

import { z } from 'zod'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const parameters = z.strictObject({})

export const manualSpec = {
  kind: 'manual',
  title: 'By hand',
  description: 'Starts when somebody presses Run and fills in the input form.',
  icon: 'mouse-pointer-click',
  parameters,
  defaults: {},
  summary: () => 'when you press Run',
} satisfies TriggerSpec<z.infer<typeof parameters>>
