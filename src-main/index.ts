/**
 * The main process: one instance, its windows, the menu, and the engine's supervisor. It is a broker and
 * holds no workflow logic; pages talk to the engine over ports of their own.
 */

import { join } from 'node:path'
import type { BrowserWindowConstructorOptions } from 'electron'
import {
  app,
  BrowserWindow,
  ipcMain,
  MessageChannelMain,
  Notification,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  utilityProcess,
} from 'electron'
import { deepLinkScheme, readDeepLink } from '../src-engine/protocol/deep-link.ts'
import type { DesktopSettings, EngineProcessState, OpenRequest } from '../src-engine/protocol/desktop-api.ts'
import { loadSettings } from '../src-engine/shell/config.ts'
import { dataDirectory } from '../src-engine/shell/data-directory.ts'
import { installMenu } from './app-menu.ts'
import { appOrigin, appProtocolHandler, appScheme, appStartUrl } from './app-protocol.ts'
import { createBackground } from './background.ts'
import { compiledFolder } from './compiled-code.ts'
import { devServerOf } from './config.ts'
import type { GuardedProgram } from './engine-messages.ts'
import { EngineProcess } from './engine-process.ts'
import { guardContents, guardSession } from './guards.ts'
import { pushChannels } from './ipc/channel-names.ts'
import { createFiles } from './ipc/files.ts'
import { originOf, registerRequests } from './ipc/router.ts'
import type { SettingsStore } from './ipc/settings.ts'
import { openSettings } from './ipc/settings.ts'
import { createKeyStore } from './key-store.ts'
import type { MenuDeps } from './menu.ts'
import { createNotices } from './notices.ts'
import { requestOfCommandLine } from './open-requests.ts'
import { forwardPowerEvents } from './power-events.ts'
import { createRequestHandlers } from './requests.ts'
import { openRollingLog } from './rolling-log.ts'
import type { SandboxBrokerDeps } from './sandbox-broker.ts'
import { startSandbox } from './sandbox-broker.ts'
import { systemClock } from './system-clock.ts'
import { openWindow } from './window.ts'
import { Windows } from './windows.ts'

const here = import.meta.dirname
/** A packaged app has its program alone in front of the arguments; a checkout also the app's folder. */
const programCount = app.isPackaged ? 1 : 2

/** What macOS asks for may come before anything is ready to take it. */
let request: (asked: OpenRequest) => void = (asked) => {
  earlyRequest = asked
}
let earlyRequest: OpenRequest | null = null

/** What must happen before Electron is ready. */
function prepare(): void {
  app.on('open-file', (event, path) => {
    event.preventDefault()
    request({ kind: 'file', path })
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const link = readDeepLink(url)
    if (link !== null) request(link)
  })
  app.enableSandbox()
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true },
    },
  ])
  app.setAboutPanelOptions({ applicationName: 'Sagasmith', applicationVersion: app.getVersion() })
}

/** What a guarded process of each program may use, in megabytes. */
const guardedHeapMb: Readonly<Record<GuardedProgram, number>> = {
  'javascript-sandbox': 96,
  'sqlite-steps': 256,
  'webhook-listener': 384,
  'crash-worker': 1_024,
}

/** What the system's lists of processes call them. */
const guardedNames: Readonly<Record<GuardedProgram, string>> = {
  'javascript-sandbox': 'Sagasmith sandbox',
  'sqlite-steps': 'Sagasmith SQLite steps',
  'webhook-listener': 'Sagasmith web calls',
  'crash-worker': 'Sagasmith worker to crash',
}

/** Processes that run with little right: no environment, a small heap, nothing on their streams. */
const sandboxDepsOf = (program: GuardedProgram): SandboxBrokerDeps => ({
  fork: () =>
    utilityProcess.fork(join(here, `${program}.js`), [], {
      serviceName: guardedNames[program],
      stdio: 'ignore',
      // That one does what the engine does, with the engine's rights.
      ...(program === 'crash-worker' ? {} : { env: {} }),
      execArgv: [`--max-old-space-size=${guardedHeapMb[program]}`],
    }),
  createChannel: () => new MessageChannelMain(),
  kill: (pid) => process.kill(pid, 'SIGKILL'),
})

/** The same data directory as the command line's, so that both see the same runs. */
function chosenData(): string {
  const named = app.commandLine.getSwitchValue('data')
  return loadSettings({ flags: { data: named === '' ? undefined : named } }).values.data
}

function createEngine(
  { data, compiled }: { readonly data: string; readonly compiled: string },
  log: (text: string) => void,
  onState: (state: EngineProcessState) => void,
): EngineProcess {
  return new EngineProcess({
    fork: () =>
      utilityProcess.fork(join(here, 'engine.js'), [data, compiled], {
        serviceName: 'Sagasmith engine',
        stdio: 'pipe',
        // Node's default begins so small that a start is full of collections, and then lets garbage pile up to several
        // times of what is alive, the more so where it takes what is new for old; bench/ measures with these.
        execArgv: ['--min-semi-space-size=4', '--max-semi-space-size=16', '--no-allocation-site-pretenuring'],
      }),
    createChannel: () => new MessageChannelMain(),
    startSandbox: (program) => startSandbox(sandboxDepsOf(program)),
    keyStore: createKeyStore(safeStorage, process.platform),
    clock: systemClock,
    log,
    onState,
  })
}

/** Asks the engine to finish before the app ends, once, and lets the quit go on afterwards. */
function stopEngineOnQuit(engine: EngineProcess, settings: SettingsStore): void {
  let phase: 'running' | 'stopping' | 'stopped' = 'running'
  const finish = async (): Promise<void> => {
    await Promise.all([engine.stop(), settings.flushed()])
    phase = 'stopped'
    app.quit()
  }
  app.on('will-quit', (event) => {
    if (phase === 'stopped') return
    event.preventDefault()
    if (phase === 'running') void finish()
    phase = 'stopping'
  })
}

/** Links and files of ours lead here, once the app is installed; a checkout leaves the system alone. */
function registerWithSystem(): void {
  if (app.isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme)
}

function createWindows(settings: SettingsStore, startUrl: string, onCount: (count: number) => void): Windows {
  const deps = {
    create: (options: BrowserWindowConstructorOptions) => new BrowserWindow(options),
    screen,
    preloadPath: join(here, '../preload/index.cjs'),
    startUrl,
    isDark: () => nativeTheme.shouldUseDarkColors,
  }
  return new Windows({ open: (remembered) => openWindow(deps, remembered), settings, onCount })
}

function ready(): void {
  const userData = app.getPath('userData')
  const log = openRollingLog(join(userData, 'logs', 'engine.log'))
  const settings = openSettings({
    path: join(userData, 'settings.json'),
    onBroken: (keptAt) => log(`settings: could not be read, put aside as ${keptAt}\n`),
  })
  const devServer = devServerOf(process.env, app.isPackaged)
  const startUrl = devServer ?? appStartUrl
  const trustedOrigin = devServer === null ? appOrigin : originOf(devServer)
  const notices = createNotices({
    isSupported: () => Notification.isSupported(),
    create: (text) => new Notification(text),
    isLookedAt: () => BrowserWindow.getFocusedWindow() !== null,
  })
  const background = createBackground({ engine: () => engine, settings, windows: () => windows, notices })
  const windows = createWindows(settings, startUrl, background.onCount)
  const data = chosenData()
  const compiled = compiledFolder(userData, app.getVersion())
  const engine = createEngine({ data, compiled }, log, background.onState)
  const onUsed = (path: string): void => {
    app.addRecentDocument(path)
    engine.grant(path)
  }
  const workspace = dataDirectory(data).workflows
  const files = createFiles({ settings, clock: systemClock, workspace, onUsed })
  // What was open comes back without being opened anew.
  for (const { path } of settings.recent()) engine.grant(path)
  const open = (asked: OpenRequest | null): void => {
    if (asked === null) return
    windows.ask(asked.kind === 'file' ? { kind: 'file', path: files.grant(asked.path) } : asked)
  }
  const menu = installMenu(menuDeps(windows, settings, open), settings.recent())
  settings.onRecent(menu.setRecent)

  nativeTheme.themeSource = settings.get().theme
  protocol.handle(appScheme, appProtocolHandler(join(here, '../renderer')))
  guardSession(session.defaultSession, trustedOrigin)
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents, { trustedOrigin, openExternal: (url) => void shell.openExternal(url) })
  })
  const onSettings = ({ keepsRunning }: DesktopSettings): void => background.tray.setShown(keepsRunning)
  registerRequests(
    {
      ipc: ipcMain,
      trustedOrigin,
      onRefused: (channel, reason) => log(`ipc: refused ${channel} from ${reason}\n`),
    },
    createRequestHandlers({
      ...{ engine, files, settings, windows, notices, menu, onSettings },
      onPageLine: background.onPageLine,
    }),
  )
  stopEngineOnQuit(engine, settings)
  followSystem({ engine, settings, windows, open })

  engine.start()
  registerWithSystem()
  onSettings(settings.get())
  request = open
  windows.restore()
  open(earlyRequest ?? requestOfCommandLine({ argv: process.argv, cwd: process.cwd(), programCount }))
}

/** What the person does to the menu that no page has to know of. */
const menuDeps = (
  windows: Windows,
  settings: SettingsStore,
  open: (asked: OpenRequest) => void,
): MenuDeps => ({
  platform: process.platform,
  isPackaged: app.isPackaged,
  sendCommand: (id) => windows.front()?.webContents.send(pushChannels.menuCommand, id),
  showAbout: () => app.showAboutPanel(),
  newWindow: () => windows.openAnother(),
  openRecent: (path) => open({ kind: 'file', path }),
  clearRecent: () => {
    app.clearRecentDocuments()
    void settings.setRecent([])
  },
})

/** Starts of a second instance, the dock, sleep, and the end of windows and app. */
function followSystem(parts: {
  readonly engine: EngineProcess
  readonly settings: SettingsStore
  readonly windows: Windows
  readonly open: (asked: OpenRequest | null) => void
}): void {
  const { engine, settings, windows, open } = parts
  forwardPowerEvents(powerMonitor, (hint) => engine.power(hint))
  app.on('second-instance', (_event, argv, cwd) => {
    windows.show()
    open(requestOfCommandLine({ argv, cwd, programCount }))
  })
  app.on('activate', () => {
    if (windows.count === 0) windows.restore()
  })
  app.on('before-quit', () => windows.quitting())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !settings.get().keepsRunning) app.quit()
  })
}

if (app.requestSingleInstanceLock()) {
  prepare()
  void app.whenReady().then(ready)
} else {
  // The first instance has been told and shows its window.
  app.quit()
}
