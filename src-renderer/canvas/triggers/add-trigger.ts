/** From a kind to a trigger of the open document, selected and ready to be filled in. */

import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { freeTriggerId } from '../../commands/new-ids.ts'
import { addTrigger } from '../../commands/triggers.ts'
import type { Designer } from '../../state/designer.ts'
import { isReadOnly } from '../../state/selectors.ts'
import { fill } from '../../text/messages.ts'
import { triggers as words } from '../../text/trigger-words.ts'
import { focusTrigger } from './edge-focus.ts'

/** What a dragged trigger of the palette carries: its kind. */
export const triggerMediaType = 'application/x-sagasmith-trigger'

/** Adds a trigger with its kind's defaults, and shows its form; its id, or null where nothing can be edited. */
export function addTriggerOf(designer: Designer, kind: string): string | null {
  const spec = triggerSpecsByKind.get(kind)
  if (spec === undefined || isReadOnly(designer)) return null
  const { history, edit } = designer.document.getState()
  const id = freeTriggerId(kind, new Set(Object.keys(history.document.triggers ?? {})))
  edit(addTrigger(id, { kind, parameters: spec.defaults }))
  designer.triggers.getState().setAdding(false)
  designer.view.getState().select({ triggers: [id] })
  const added = designer.document.getState().history.document.triggers?.[id]
  if (added !== undefined) designer.view.getState().setFreshTrigger({ id, added })
  designer.view.getState().setPanels({ isInspectorOpen: true })
  designer.view.getState().announce(fill(words.added, { title: spec.title }))
  // The card is there from the next frame on.
  designer.ambient.onFrame(() => focusTrigger(id))
  return id
}
