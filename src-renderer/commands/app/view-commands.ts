/** Panels, theme, help. */

import type { Designer } from '../../state/designer.ts'
import type { EnginePageId } from '../../state/engine-page-id.ts'
import type { BottomTab, RailTab } from '../../state/panels.ts'
import type { ThemeChoice } from '../../state/view-store.ts'
import { isMapShown } from '../../state/view-store.ts'
import { ghostWords } from '../../text/ghost-words.ts'
import { commandsOf } from './app-command.ts'
import { enterField } from './enter-field.ts'

const nextTheme: Readonly<Record<ThemeChoice, ThemeChoice>> = {
  system: 'light',
  light: 'dark',
  dark: 'system',
}

export const viewCommands = commandsOf('View', [
  {
    id: 'view.commandPalette',
    title: 'Command palette',
    run: (designer) => designer.view.getState().setDialog('command-palette'),
  },
  {
    id: 'view.rail',
    title: 'Show or hide the left panel',
    run: (designer) => toggle(designer, 'isRailOpen'),
  },
  {
    id: 'view.inspector',
    title: 'Show or hide the inspector',
    run: (designer) => toggle(designer, 'isInspectorOpen'),
  },
  {
    id: 'view.inspectorWide',
    title: 'Input, settings and output side by side',
    isEnabled: (designer) => designer.view.getState().selection.nodes.length === 1,
    run: toggleWide,
  },
  {
    id: 'view.bottom',
    title: 'Show or hide the bottom panel',
    run: (designer) => toggle(designer, 'isBottomOpen'),
  },
  {
    id: 'view.code',
    title: 'Show or hide the code',
    run: (designer) => toggle(designer, 'isCodeOpen'),
  },
  { id: 'view.problems', title: 'Problems', run: (designer) => showBottom(designer, 'problems') },
  { id: 'view.log', title: 'Log of the run', run: (designer) => showBottom(designer, 'log') },
  { id: 'view.timeline', title: 'Timeline of the run', run: (designer) => showBottom(designer, 'timeline') },
  { id: 'view.family', title: 'Family of the run', run: (designer) => showBottom(designer, 'family') },
  {
    id: 'view.rollback',
    title: 'What is undone of the run',
    run: (designer) => showBottom(designer, 'rollback'),
  },
  { id: 'view.list', title: 'Steps as a list', run: (designer) => showRail(designer, 'list') },
  { id: 'view.runs', title: 'List of runs', run: (designer) => showRail(designer, 'runs') },
  { id: 'view.files', title: 'Files of the workspace', run: (designer) => showRail(designer, 'files') },
  {
    id: 'view.ghosts',
    title: ghostWords.command,
    scope: 'canvas',
    isEnabled: ({ document }) => document.getState().isOpen,
    run: ({ ghosts }) => ghosts.getState().setShown(!ghosts.getState().isShown),
  },
  { id: 'view.map', title: 'Show or hide the map', run: toggleMap },
  {
    id: 'view.searchPalette',
    title: 'Search the palette',
    scope: 'canvas',
    run: (designer) => {
      designer.view.getState().setPanels({ isRailOpen: true, railTab: 'palette' })
      enterField(designer, '[data-testid="palette-search"]')
    },
  },
  {
    id: 'view.inbox',
    title: 'Inbox',
    run: (designer) => showEngine(designer, 'inbox'),
  },
  {
    id: 'view.allRuns',
    title: 'All runs: find, filter, steer many',
    run: (designer) => showEngine(designer, 'runs'),
  },
  {
    id: 'view.runners',
    title: 'Runners',
    run: (designer) => showEngine(designer, 'runners'),
  },
  {
    id: 'view.pools',
    title: 'Pools',
    run: (designer) => showEngine(designer, 'pools'),
  },
  {
    id: 'view.logs',
    title: 'Logs: what was printed and what happened',
    run: (designer) => showEngine(designer, 'logs'),
  },
  {
    id: 'view.deadLetters',
    title: 'Dead letters',
    run: (designer) => showEngine(designer, 'dead-letters'),
  },
  {
    id: 'view.schedules',
    title: 'Schedules: a month ahead',
    run: (designer) => showEngine(designer, 'schedules'),
  },
  {
    id: 'view.quarantine',
    title: 'Quarantine',
    run: (designer) => showEngine(designer, 'quarantine'),
  },
  {
    id: 'view.policy',
    title: 'Safety policy',
    run: (designer) => showEngine(designer, 'policy'),
  },
  {
    id: 'view.audit',
    title: 'Audit: who decided what',
    run: (designer) => showEngine(designer, 'audit'),
  },
  {
    id: 'view.secrets',
    title: 'Secrets',
    run: (designer) => showEngine(designer, 'secrets'),
  },
  {
    id: 'secrets.add',
    title: 'Add a secret',
    run: (designer) => {
      designer.view.getState().setEnginePage('secrets')
      designer.secrets.getState().setAdding(true)
    },
  },
  {
    id: 'view.triggers',
    title: 'What triggers did',
    run: (designer) => showEngine(designer, 'triggers'),
  },
  {
    id: 'view.sealing',
    title: 'Sealed values',
    run: (designer) => showEngine(designer, 'sealing'),
  },
  {
    id: 'view.trust',
    title: 'Trust',
    run: (designer) => showEngine(designer, 'trust'),
  },
  {
    id: 'view.settings',
    title: 'Settings of the engine',
    run: (designer) => showEngine(designer, 'settings'),
  },
  {
    id: 'view.toggleTheme',
    title: 'Change theme',
    run: (designer) => {
      const { theme, setTheme } = designer.view.getState()
      setTheme(nextTheme[theme])
    },
  },
  {
    id: 'view.navigation',
    title: 'How mouse and trackpad move the canvas …',
    run: (designer) => {
      designer.view.getState().setEnginePage('settings')
      focusSoon(designer, '[data-testid="navigation"]')
    },
  },
  {
    id: 'help.keys',
    title: 'Keyboard shortcuts',
    run: (designer) => designer.view.getState().setDialog('cheat-sheet'),
  },
])

/** Opens a panel and puts the keyboard on its tab; the same command again closes it. */
function showBottom(designer: Designer, bottomTab: BottomTab): void {
  const { panels, setPanels, setEnginePage } = designer.view.getState()
  const isShown = panels.isBottomOpen && panels.bottomTab === bottomTab
  setEnginePage(null)
  setPanels({ bottomTab, isBottomOpen: !isShown })
  if (isShown) designer.canvas.current?.focus()
  else focusTab(designer, bottomTab)
}

function showRail(designer: Designer, railTab: RailTab): void {
  const { panels, setPanels, setEnginePage } = designer.view.getState()
  const isShown = panels.isRailOpen && panels.railTab === railTab
  setEnginePage(null)
  setPanels({ railTab, isRailOpen: !isShown })
  if (isShown) designer.canvas.current?.focus()
  else focusTab(designer, railTab)
}

/** More frames than drawing a panel ever takes. */
const framesMax = 20

/** Puts the keyboard on a tab as soon as it is drawn. */
const focusTab = (designer: Designer, id: string): void =>
  focusSoon(designer, `[role="tab"][data-tab="${id}"]`)

function focusSoon(designer: Designer, selector: string, frames = framesMax): void {
  designer.ambient.onFrame(() => {
    const found = globalThis.document.querySelector<HTMLElement>(selector)
    if (found !== null) found.focus()
    else if (frames > 0) focusSoon(designer, selector, frames - 1)
  })
}

/** The same command again goes back to the workflow. */
function showEngine(designer: Designer, page: EnginePageId): void {
  const { enginePage, setEnginePage } = designer.view.getState()
  setEnginePage(enginePage === page ? null : page)
}

function toggleMap(designer: Designer): void {
  const view = designer.view.getState()
  view.setPanels({ map: isMapShown(view) ? 'hidden' : 'shown' })
}

/** One step's data and form get the room of the palette, too. */
function toggleWide(designer: Designer): void {
  const { panels, setPanels, setEnginePage } = designer.view.getState()
  setEnginePage(null)
  setPanels({ isInspectorOpen: true, isInspectorWide: !(panels.isInspectorWide && panels.isInspectorOpen) })
}

function toggle(
  designer: Designer,
  panel: 'isRailOpen' | 'isInspectorOpen' | 'isBottomOpen' | 'isCodeOpen',
): void {
  const { panels, setPanels } = designer.view.getState()
  setPanels({ [panel]: !panels[panel] })
}
