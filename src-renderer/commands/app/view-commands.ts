/** Panels, theme, help. */

import type { Designer } from '../../state/designer.ts'
import type { EnginePageId, ThemeChoice } from '../../state/view-store.ts'
import { isMapShown } from '../../state/view-store.ts'
import { commandsOf } from './app-command.ts'

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
    id: 'view.bottom',
    title: 'Show or hide the bottom panel',
    run: (designer) => toggle(designer, 'isBottomOpen'),
  },
  { id: 'view.map', title: 'Show or hide the map', run: toggleMap },
  {
    id: 'view.searchPalette',
    title: 'Search the palette',
    scope: 'canvas',
    run: (designer) => {
      designer.view.getState().setPanels({ isRailOpen: true, railTab: 'palette' })
      designer.ambient.onFrame(() =>
        globalThis.document.querySelector<HTMLElement>('[data-testid="palette-search"]')?.focus(),
      )
    },
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
    id: 'view.deadLetters',
    title: 'Dead letters',
    run: (designer) => showEngine(designer, 'dead-letters'),
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
    id: 'help.keys',
    title: 'Keyboard shortcuts',
    run: (designer) => designer.view.getState().setDialog('cheat-sheet'),
  },
])

/** The same command again goes back to the workflow. */
function showEngine(designer: Designer, page: EnginePageId): void {
  const { enginePage, setEnginePage } = designer.view.getState()
  setEnginePage(enginePage === page ? null : page)
}

function toggleMap(designer: Designer): void {
  const view = designer.view.getState()
  view.setPanels({ map: isMapShown(view) ? 'hidden' : 'shown' })
}

function toggle(designer: Designer, panel: 'isRailOpen' | 'isInspectorOpen' | 'isBottomOpen'): void {
  const { panels, setPanels } = designer.view.getState()
  setPanels({ [panel]: !panels[panel] })
}
