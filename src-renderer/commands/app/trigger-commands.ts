/** What starts the workflow: adding, switching and firing it by keys and from the palette of commands. */

import type { Designer } from '../../state/designer.ts'
import { canEdit, isReadOnly } from '../../state/selectors.ts'
import { beginFire, switchTrigger } from '../../state/trigger-acts.ts'
import { commandsOf } from './app-command.ts'

/** The selected trigger, where it is published. */
function published(designer: Designer) {
  const { triggers } = designer.view.getState().selection
  const [only] = triggers
  if (only === undefined || triggers.length > 1 || isReadOnly(designer)) return null
  return designer.triggers.getState().views?.get(only) ?? null
}

export const triggerCommands = commandsOf('Canvas', [
  {
    id: 'trigger.add',
    title: 'Add trigger …',
    scope: 'canvas',
    isEnabled: canEdit,
    run: (designer) => designer.triggers.getState().setAdding(true),
  },
  {
    id: 'trigger.fire',
    title: 'Fire the selected trigger now',
    isEnabled: (designer) => published(designer) !== null,
    run: (designer) => {
      const view = published(designer)
      if (view !== null) beginFire(designer, view.triggerId)
    },
  },
  {
    id: 'trigger.switch',
    title: 'Switch the selected trigger on or off',
    isEnabled: (designer) => published(designer) !== null,
    run: (designer) => {
      const view = published(designer)
      if (view !== null) void switchTrigger(designer, view.triggerId, !view.on)
    },
  },
])
