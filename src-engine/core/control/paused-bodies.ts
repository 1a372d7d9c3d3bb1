/** What goes on inside of a map or loop that somebody paused: nothing new begins there. */

import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Draft } from '../draft.ts'
import { recordOf } from '../draft.ts'
import type { RunState } from '../run-state.ts'
import { forwardId, isActive } from '../run-state.ts'
import { placeOf } from '../scope-path.ts'
import { hold, isPauseAsked } from './hold.ts'

/** The map or loop around a path that somebody paused, the innermost first; null when there is none. */
export function pausedAround(
  state: RunState,
  path: string,
  find: (id: InvocationId) => InvocationRecord | undefined,
): InvocationRecord | null {
  for (let at = path; at !== ''; ) {
    const { container, parent } = placeOf(at)
    const record = find(forwardId(state, container, parent))
    if (record !== undefined && isActive(record) && isPauseAsked(record)) return record
    at = parent
  }
  return null
}

/** Whether a step of that path isn't to begin, because a map or loop around it is paused. */
export const isInPausedBody = (draft: Draft, path: string): boolean =>
  path !== '' &&
  draft.pausedBodies !== null &&
  pausedAround(draft.state, path, (id) => recordOf(draft, id)) !== null

/** Whether the record is part of what goes on inside of the map or loop. */
export function isInside(container: InvocationRecord, record: InvocationRecord): boolean {
  const own = container.path === '' ? `${container.nodeId}:` : `${container.path}/${container.nodeId}:`
  return record.generation === container.generation && record.path.startsWith(own)
}

/** Sets aside what this decision made available or parked, where it, or a map or loop around it, is paused. */
export function holdPausedSteps(draft: Draft): void {
  for (const record of draft.records.values()) {
    if (record.dispatch !== null && record.dispatch.pauseRequestedAt !== null) {
      hold(draft, record, record.dispatch.pauseRequestedAt)
    } else if (record.role === 'forward' && isInPausedBody(draft, record.path))
      hold(draft, record, draft.context.now)
  }
}
