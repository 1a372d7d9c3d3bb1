/** What triggers will do. */

import { parameterProblems } from '../../model/validate-parameters.ts'
import type { TriggersApi } from '../../protocol/triggers.ts'
import { previewSchedule } from '../../triggers/cron/cron-preview.ts'
import { cronSpec } from '../../triggers/cron/spec.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `triggers.*`. */
export const triggerHandlers = ({ engine }: Pick<HandlerDeps, 'engine'>): Handlers<keyof TriggersApi> => ({
  'triggers.preview': async ({ parameters, from, count }) => {
    const schema = cronSpec.parameters
    const [problem] = parameterProblems({ schema, parameters, name: () => '', field: '', nodeId: null })
    if (problem !== undefined) {
      const message = problem.message.replace(/^: /, '')
      return { kind: 'problem', field: (problem.field ?? '').replace(/^\./, ''), message }
    }
    // Slots lie on whole seconds: the first one may be at the instant itself.
    const range = { after: (from ?? engine.now()) - 1, count }
    return { kind: 'schedule', ...previewSchedule(schema.parse(parameters), range) }
  },
})
