/** Several documents in one window. */

import type { Designer } from '../../state/designer.ts'
import { closeTab, reopenClosed, shiftTab, stepTab } from '../../state/tabs/tabs.ts'
import { commandsOf } from './app-command.ts'

const hasOthers = ({ tabs }: Designer): boolean => {
  const { tabs: open, active } = tabs.getState()
  return open.some(({ id }) => id !== active)
}

const isInFront = ({ tabs }: Designer): boolean => tabs.getState().active !== null

export const tabCommands = commandsOf('File', [
  {
    id: 'tab.next',
    title: 'Next tab',
    isEnabled: hasOthers,
    run: (designer) => stepTab(designer, 1),
  },
  {
    id: 'tab.previous',
    title: 'Previous tab',
    isEnabled: hasOthers,
    run: (designer) => stepTab(designer, -1),
  },
  {
    id: 'tab.close',
    title: 'Close tab',
    isEnabled: isInFront,
    run: (designer) => {
      const { active } = designer.tabs.getState()
      if (active !== null) void closeTab(designer, active)
    },
  },
  {
    id: 'tab.reopen',
    title: 'Reopen closed tab',
    isEnabled: ({ tabs }) => tabs.getState().closed.length > 0,
    run: (designer) => void reopenClosed(designer),
  },
  {
    id: 'tab.moveLeft',
    title: 'Move tab to the left',
    isEnabled: (designer) => isInFront(designer) && hasOthers(designer),
    run: (designer) => shiftTab(designer, -1),
  },
  {
    id: 'tab.moveRight',
    title: 'Move tab to the right',
    isEnabled: (designer) => isInFront(designer) && hasOthers(designer),
    run: (designer) => shiftTab(designer, 1),
  },
])
