/** The native menu as it stands: made anew when the recent files change, with what the designer said of its items. */

import { Menu } from 'electron'
import type { MenuCommandState, RecentFile } from '../src-engine/protocol/desktop-api.ts'
import type { MenuDeps } from './menu.ts'
import { applyMenuState, menuTemplate } from './menu.ts'

export interface AppMenu {
  /** Has the menu show these files. */
  readonly setRecent: (recent: readonly RecentFile[]) => void
  /** Enables and disables commands. */
  readonly setStates: (states: readonly MenuCommandState[]) => void
}

/** Installs the menu. */
export function installMenu(deps: MenuDeps, firstRecent: readonly RecentFile[]): AppMenu {
  const known = new Map<string, MenuCommandState>()
  let shown = ''
  const setRecent = (recent: readonly RecentFile[]): void => {
    const paths = recent.map(({ path }) => path).join('\n')
    if (paths === shown && Menu.getApplicationMenu() !== null) return
    shown = paths
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(deps, recent)))
    applyMenuState(Menu.getApplicationMenu(), [...known.values()])
  }
  setRecent(firstRecent)
  return {
    setRecent,
    setStates: (states) => {
      for (const state of states) known.set(state.id, state)
      applyMenuState(Menu.getApplicationMenu(), states)
    },
  }
}
