/** The ways to the records of triggers: from a trigger, from a run, from an event. */

import type { FiringRecord, TriggerName } from '../../src-engine/model/trigger.ts'
import type { Designer } from './designer.ts'

/** What a trigger did, and what it didn't. */
export function showRecordsOf(designer: Designer, { workflowId, triggerId }: TriggerName): void {
  const name = { workflowId, triggerId, outcome: 'all' } as const
  designer.records.getState().look({ about: 'firings', ...name, firingId: null, led: null })
  designer.view.getState().setEnginePage('triggers')
}

/** One record, wherever it is in the list. */
export function showFiring(designer: Designer, firing: FiringRecord): void {
  const all = { workflowId: null, triggerId: null, outcome: 'all' } as const
  designer.records.getState().look({ about: 'firings', ...all, firingId: firing.id, led: firing })
  designer.view.getState().setEnginePage('triggers')
}

/** An event, with what it met. */
export function showEvent(designer: Designer, eventId: string): void {
  designer.records.getState().look({ about: 'events', eventId })
  designer.view.getState().setEnginePage('triggers')
}
