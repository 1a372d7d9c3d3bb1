/** What triggers do, did and will do. */

import { parameterProblems } from '../../model/validate-parameters.ts'
import type { TriggersApi } from '../../protocol/triggers.ts'
import { previewSchedule } from '../../triggers/cron/cron-preview.ts'
import { cronSpec } from '../../triggers/cron/spec.ts'
import { publishedMonth } from '../schedule-month.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `triggers.*`. */
export const triggerHandlers = ({
  engine,
  settings,
}: Pick<HandlerDeps, 'engine' | 'settings'>): Handlers<keyof TriggersApi> => ({
  'triggers.month': async ({ workers, ...request }) => {
    const own = settings.find(({ name }) => name === 'max_concurrent_tasks')?.value
    return publishedMonth(engine.store, {
      ...request,
      workers: workers ?? (typeof own === 'number' ? own : 1),
    })
  },
  'triggers.list': (query) => engine.triggers['triggers.list'](query),
  'triggers.show': (query) => engine.triggers['triggers.show'](query),
  'triggers.firings': (query) => engine.triggers['triggers.firings'](query),
  'triggers.why': (query) => engine.triggers['triggers.why'](query),
  'triggers.fire': (request) => engine.triggers['triggers.fire'](request),
  'triggers.switch': (request) => engine.triggers['triggers.switch'](request),
  'triggers.clear': (request) => engine.triggers['triggers.clear'](request),
  'events.list': (query) => engine.triggers['events.list'](query),
  'events.show': (query) => engine.triggers['events.show'](query),
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
