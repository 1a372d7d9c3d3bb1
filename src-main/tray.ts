/** The app's icon beside the clock, there while the engine may go on without a window. */

import type { Menu, MenuItemConstructorOptions, Tray } from 'electron'
import type { EngineProcessState } from '../src-engine/protocol/desktop-api.ts'

export interface TrayDeps {
  readonly create: () => Tray
  readonly buildMenu: (template: MenuItemConstructorOptions[]) => Menu
  readonly show: () => void
  readonly quit: () => void
}

/** What its menu tells of the engine. */
export const engineWords: Readonly<Record<EngineProcessState['status'], string>> = {
  starting: 'The engine is starting',
  running: 'The engine is running',
  restarting: 'The engine ended and starts again',
  stopped: 'The engine is stopped',
}

export interface AppTray {
  /** Shows it or takes it away. */
  readonly setShown: (isShown: boolean) => void
  readonly tell: (state: EngineProcessState) => void
}

/** Makes the icon on demand: systems keep none for an app that doesn't want one. */
export function createTray({ create, buildMenu, show, quit }: TrayDeps): AppTray {
  let tray: Tray | null = null
  let state: EngineProcessState = { status: 'starting' }
  const template = (): MenuItemConstructorOptions[] => [
    { id: 'tray.open', label: 'Open Sagasmith', click: show },
    { type: 'separator' },
    { id: 'tray.engine', label: engineWords[state.status], enabled: false },
    { type: 'separator' },
    { id: 'tray.quit', label: 'Quit', click: quit },
  ]
  const refresh = (): void => {
    if (tray === null) return
    tray.setToolTip(`Sagasmith — ${engineWords[state.status].toLowerCase()}`)
    tray.setContextMenu(buildMenu(template()))
  }
  return {
    setShown: (isShown) => {
      if (isShown === (tray !== null)) return
      if (isShown) {
        tray = create()
        tray.on('click', show)
        refresh()
        return
      }
      tray?.destroy()
      tray = null
    },
    tell: (next) => {
      state = next
      refresh()
    },
  }
}
