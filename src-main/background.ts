/** The app without a window: its icon beside the clock, and notices of what its engine goes on with. */

import { join } from 'node:path'
import type { NativeImage } from 'electron'
import { app, Menu, nativeImage, Tray } from 'electron'
import type { EngineProcessState } from '../src-engine/protocol/desktop-api.ts'
import { findResource } from '../src-engine/shell/resources.ts'
import { createBackgroundWatch } from './background-watch.ts'
import type { EngineProcess } from './engine-process.ts'
import { pushChannels } from './ipc/channel-names.ts'
import type { SettingsStore } from './ipc/settings.ts'
import type { DesktopNotices } from './notices.ts'
import type { AppTray } from './tray.ts'
import { createTray } from './tray.ts'
import type { Windows } from './windows.ts'

function trayIcon(): NativeImage {
  const folder = findResource('icons')
  const isMac = process.platform === 'darwin'
  const name = isMac ? 'tray-template.png' : 'tray.png'
  const image = nativeImage.createFromPath(folder === null ? '' : join(folder, name))
  // macOS draws it in the color of its bar.
  if (isMac) image.setTemplateImage(true)
  return image
}

export interface Background {
  readonly tray: AppTray
  /** To be called when the first window came or the last one went. */
  readonly onCount: (count: number) => void
  /** To be called when a page has a line of its own to the engine. */
  readonly onPageLine: () => void
  readonly onState: (state: EngineProcessState) => void
}

/** Engine and windows are asked for when they are needed: they are made with what this gives. */
export function createBackground(services: {
  readonly engine: () => EngineProcess
  readonly settings: SettingsStore
  readonly windows: () => Windows
  readonly notices: DesktopNotices
}): Background {
  const { engine, settings, windows, notices } = services
  const show = (): void => windows().show()
  const watch = createBackgroundWatch({
    open: () => engine().openLine(),
    runNotices: () => settings.get().runNotices,
    tell: (notice) =>
      notices.show(notice, (leadsTo) => {
        show()
        windows().ask(leadsTo)
      }),
    setBadge: (count) => app.setBadgeCount(count),
  })
  const tray = createTray({
    create: () => new Tray(trayIcon()),
    buildMenu: (template) => Menu.buildFromTemplate(template),
    show,
    quit: () => app.quit(),
  })
  return {
    tray,
    onCount: (count: number) => {
      if (count === 0) watch.start()
    },
    // From here on a page tells what there is to tell: until it hears of it, what ends is told by the watch.
    onPageLine: () => watch.stop(),
    onState: (state: EngineProcessState) => {
      tray.tell(state)
      windows().push(pushChannels.engineState, state)
      // The line to the engine before it is gone.
      if (state.status === 'running' && windows().count === 0) watch.start()
    },
  }
}
