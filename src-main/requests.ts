/** Answers what pages ask of the desktop: one small handler per request of the api. */

import { homedir } from 'node:os'
import { dirname } from 'node:path'
import type { WebContents } from 'electron'
import { app, BrowserWindow, dialog, Menu, Notification, nativeTheme, shell } from 'electron'
import { errorOfRecord, SagasmithError } from '../src-engine/model/errors.ts'
import type { DesktopFile, SaveTarget } from '../src-engine/protocol/desktop-api.ts'
import type { EngineProcess } from './engine-process.ts'
import { pushChannels } from './ipc/channel-names.ts'
import { askForPath, askForWorkflow, askWhereToSave } from './ipc/dialogs.ts'
import type { Files } from './ipc/files.ts'
import type { RequestHandlers } from './ipc/router.ts'
import type { SettingsStore } from './ipc/settings.ts'
import { applyMenuState } from './menu.ts'
import type { OpenRequests } from './open-requests.ts'

export interface RequestDeps {
  readonly engine: EngineProcess
  readonly files: Files
  readonly settings: SettingsStore
  readonly openRequests: OpenRequests
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

function engineHandlers({ engine }: RequestDeps) {
  return {
    openEnginePort: ([requestId], sender) => {
      const opened = engine.openPort(sender, requestId)
      if (!opened.ok) throw errorOfRecord(opened.error)
      return null
    },
    engineState: () => engine.state(),
    restartEngine: () => {
      engine.restart()
      return null
    },
  } satisfies Partial<RequestHandlers>
}

function fileHandlers({ files, openRequests }: RequestDeps) {
  return {
    openWorkflowDialog: (_args, sender) => openByDialog(files, sender),
    saveWorkflowDialog: ([suggestedName], sender) => saveByDialog(files, { sender, suggestedName }),
    choosePathDialog: ([{ kind, from }], sender) => {
      const { startFolder, ...deps } = dialogDeps(files)
      const folder = from === null ? startFolder : dirname(from)
      return askForPath({ ...deps, startFolder: folder }, { window: windowOf(sender), kind })
    },
    readWorkflowFile: ([path]) => files.read(path),
    saveWorkflowFile: ([request]) => files.save(request),
    recentFiles: () => files.recent(),
    forgetRecentFile: ([path]) => files.forget(path),
    revealInFolder: ([path]) => {
      shell.showItemInFolder(files.permitted(path))
      return null
    },
    takeOpenRequest: () => openRequests.take(),
  } satisfies Partial<RequestHandlers>
}

function settingsHandlers({ settings }: RequestDeps) {
  return {
    getSettings: () => settings.get(),
    setSettings: async ([change]) => {
      if (change.theme !== undefined) nativeTheme.themeSource = change.theme
      return settings.set(change)
    },
  } satisfies Partial<RequestHandlers>
}

/** Held until they are gone: a notice that is collected as garbage answers no click. */
const notices = new Set<Notification>()

/** A click brings the window to the front, and tells its page. */
function showNotice(text: { readonly title: string; readonly body: string }, sender: WebContents): void {
  const notice = new Notification(text)
  notices.add(notice)
  notice.on('close', () => notices.delete(notice))
  notice.on('click', () => {
    notices.delete(notice)
    if (sender.isDestroyed()) return
    const window = windowOf(sender)
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
    sender.send(pushChannels.noticeClick)
  })
  notice.show()
}

function deskHandlers() {
  return {
    notify: ([notice], sender) => {
      if (Notification.isSupported()) showNotice(notice, sender)
      return null
    },
    setBadge: ([count]) => {
      app.setBadgeCount(count)
      return null
    },
    openExternal: async ([url]) => {
      await shell.openExternal(url)
      return null
    },
    setWindowTitle: ([title], sender) => {
      windowOf(sender).setTitle(title === '' ? 'Sagasmith' : title)
      return null
    },
    setMenuState: ([states]) => {
      applyMenuState(Menu.getApplicationMenu(), states)
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
  return { ...engineHandlers(deps), ...fileHandlers(deps), ...settingsHandlers(deps), ...deskHandlers() }
}
