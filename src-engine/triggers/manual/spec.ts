/** Manual: a person starts the run, with the workflow's input form. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import type { TriggerSpec } from '../../model/trigger-spec.ts'

const parameters = lazily(() => z.strictObject({}))

export const manualSpec = {
  kind: 'manual',
  title: 'By hand',
  description: 'Starts when somebody presses Run and fills in the input form.',
  icon: 'mouse-pointer-click',
  get parameters() {
    return parameters()
  },
  defaults: {},
  summary: () => 'when you press Run',
} satisfies TriggerSpec<z.infer<ReturnType<typeof parameters>>>
