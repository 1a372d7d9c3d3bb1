/** Answers what pages ask of the desktop: one small handler per request of the api. */

import { homedir } from 'node:os'
import { dirname } from 'node:path'
import type { WebContents } from 'electron'
import { app, BrowserWindow, dialog, nativeTheme, shell } from 'electron'
import { errorOfRecord, SagasmithError } from '../src-engine/model/errors.ts'
import { readDeepLink } from '../src-engine/protocol/deep-link.ts'
import type {
  DesktopFile,
  DesktopSettings,
  HandedOver,
  SaveTarget,
} from '../src-engine/protocol/desktop-api.ts'
import { fileError, writeFileAtomically } from '../src-engine/shell/atomic-file.ts'
import type { AppMenu } from './app-menu.ts'
import type { EngineProcess } from './engine-process.ts'
import { askForPath, askForWorkflow, askWhereToHandOver, askWhereToSave } from './ipc/dialogs.ts'
import type { Files } from './ipc/files.ts'
import type { RequestHandlers } from './ipc/router.ts'
import type { SettingsStore } from './ipc/settings.ts'
import type { DesktopNotices } from './notices.ts'
import type { Windows } from './windows.ts'

export interface RequestDeps {
  readonly engine: EngineProcess
  readonly files: Files
  readonly settings: SettingsStore
  readonly windows: Windows
  readonly notices: DesktopNotices
  readonly menu: AppMenu
  /** Called when a page got a line to the engine. */
  readonly onPageLine: () => void
  /** Called with what the person chose, once it is kept. */
  readonly onSettings: (settings: DesktopSettings) => void
}

function windowOf(sender: WebContents): BrowserWindow {
  const window = BrowserWindow.fromWebContents(sender)
  if (window === null) throw new SagasmithError('internal', { message: 'The window is closing.' })
  return window
}

function dialogDeps(files: Files) {
  const newest = files.recent()[0]
  return { dialog, startFolder: newest === undefined ? homedir() : dirname(newest.path) }
}

async function openByDialog(files: Files, sender: WebContents): Promise<DesktopFile | null> {
  const path = await askForWorkflow(dialogDeps(files), windowOf(sender))
  return path === null ? null : files.read(files.grant(path))
}

async function saveByDialog(
  files: Files,
  { sender, suggestedName }: { readonly sender: WebContents; readonly suggestedName: string },
): Promise<SaveTarget | null> {
  const path = await askWhereToSave(dialogDeps(files), { window: windowOf(sender), suggestedName })
  return path === null ? null : files.target(files.grant(path))
}

/** The dialog itself asks before it names an existing file. */
async function handOver(
  files: Files,
  window: BrowserWindow,
  { name, content }: HandedOver,
): Promise<boolean> {
  const path = await askWhereToHandOver(dialogDeps(files), { window, name })
  if (path === null) return false
  try {
    await writeFileAtomically(path, content)
  } catch (error) {
    throw fileError(path, error)
  }
  return true
}

function engineHandlers({ engine, onPageLine }: RequestDeps) {
  return {
    openEnginePort: ([requestId], sender) => {
      const opened = engine.openPort(sender, requestId)
      if (!opened.ok) throw errorOfRecord(opened.error)
      onPageLine()
      return null
    },
    engineState: () => engine.state(),
    restartEngine: () => {
      engine.restart()
      return null
    },
  } satisfies Partial<RequestHandlers>
}

function fileHandlers({ files }: RequestDeps) {
  return {
    openWorkflowDialog: (_args, sender) => openByDialog(files, sender),
    saveWorkflowDialog: ([suggestedName], sender) => saveByDialog(files, { sender, suggestedName }),
    choosePathDialog: ([{ kind, from }], sender) => {
      const { startFolder, ...deps } = dialogDeps(files)
      const folder = from === null ? startFolder : dirname(from)
      return askForPath({ ...deps, startFolder: folder }, { window: windowOf(sender), kind })
    },
    handOverFile: ([file], sender) => handOver(files, windowOf(sender), file),
    readWorkflowFile: ([path]) => files.read(path),
    lookAtWorkflowFile: ([path, etag]) => files.look(path, etag),
    saveWorkflowFile: ([request]) => files.save(request),
    recentFiles: () => files.recent(),
    forgetRecentFile: ([path]) => files.forget(path),
    revealInFolder: ([path]) => {
      shell.showItemInFolder(files.permitted(path))
      return null
    },
  } satisfies Partial<RequestHandlers>
}

function settingsHandlers({ settings, onSettings }: RequestDeps) {
  return {
    getSettings: () => settings.get(),
    setSettings: async ([change]) => {
      if (change.theme !== undefined) nativeTheme.themeSource = change.theme
      const changed = await settings.set(change)
      onSettings(changed)
      return changed
    },
  } satisfies Partial<RequestHandlers>
}

function windowHandlers({ windows, notices }: RequestDeps) {
  return {
    takeOpenRequest: (_args, sender) => windows.takeRequest(sender),
    notify: ([notice], sender) => {
      // Its window may be gone by the time of the click: then the one in front shows it.
      const window = windowOf(sender)
      notices.show(notice, (leadsTo) => {
        windows.show(window.isDestroyed() ? undefined : window)
        windows.ask(leadsTo, window)
      })
      return null
    },
    newWindow: ([text]) => {
      // A page says it, so it is read like any other link.
      const link = text === null ? null : readDeepLink(text)
      if (link === null) windows.openAnother()
      else windows.openAside(link)
      return null
    },
    windowSession: (_args, sender) => windows.session(sender),
    setWindowSession: ([text], sender) => {
      windows.setSession(sender, text)
      return null
    },
    claimDocuments: ([keys], sender) => windows.claim(sender, keys),
    setWindowTitle: ([title], sender) => {
      windowOf(sender).setTitle(title === '' ? 'Sagasmith' : title)
      return null
    },
  } satisfies Partial<RequestHandlers>
}

function deskHandlers({ menu }: RequestDeps) {
  return {
    setBadge: ([count]) => {
      app.setBadgeCount(count)
      return null
    },
    openExternal: async ([url]) => {
      await shell.openExternal(url)
      return null
    },
    setMenuState: ([states]) => {
      menu.setStates(states)
      return null
    },
    editText: ([edit], sender) => {
      sender[edit]()
      return null
    },
    versions: () => {
      const { electron, chrome, node } = process.versions
      return { app: app.getVersion(), electron, chrome, node }
    },
  } satisfies Partial<RequestHandlers>
}

/** All handlers, for the router. */
export function createRequestHandlers(deps: RequestDeps): RequestHandlers {
  return {
    ...engineHandlers(deps),
    ...fileHandlers(deps),
    ...settingsHandlers(deps),
    ...windowHandlers(deps),
    ...deskHandlers(deps),
  }
}
