/**
 * The main process: one instance, its windows, the menu, and the engine's supervisor. It is a broker and
 * holds no workflow logic; pages talk to the engine over ports of their own.
 */

import { join } from 'node:path'
import {
  app,
  BrowserWindow,
  ipcMain,
  Menu,
  MessageChannelMain,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  utilityProcess,
} from 'electron'
import { loadSettings } from '../src-engine/shell/config.ts'
import { appOrigin, appProtocolHandler, appScheme, appStartUrl } from './app-protocol.ts'
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
import { menuTemplate } from './menu.ts'
import { createOpenRequests, fileOfCommandLine } from './open-requests.ts'
import { forwardPowerEvents } from './power-events.ts'
import { createRequestHandlers } from './requests.ts'
import { openRollingLog } from './rolling-log.ts'
import type { SandboxBrokerDeps } from './sandbox-broker.ts'
import { startSandbox } from './sandbox-broker.ts'
import { systemClock } from './system-clock.ts'
import { openWindow } from './window.ts'

const here = import.meta.dirname
/** A packaged app has its program alone in front of the arguments; a checkout also the app's folder. */
const programCount = app.isPackaged ? 1 : 2

/** The file of macOS's `open-file`, which may come before anything is ready to take it. */
let openFile: (path: string) => void = (path) => {
  earlyFile = path
}
let earlyFile: string | null = null

/** What must happen before Electron is ready. */
function prepare(): void {
  app.on('open-file', (event, path) => {
    event.preventDefault()
    openFile(path)
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

/** Sends to every page; a page that is still loading asks for what it missed. */
function pushToPages(channel: string, ...args: readonly unknown[]): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel, ...args)
}

/** The page a menu command is meant for: the one in front, else the newest. */
function commandTarget(): BrowserWindow | null {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows().at(-1) ?? null
}

function showWindow(): void {
  const window = commandTarget()
  if (window?.isMinimized() === true) window.restore()
  window?.show()
}

/** What a guarded process of each program may use, in megabytes. */
const guardedHeapMb: Readonly<Record<GuardedProgram, number>> = {
  'javascript-sandbox': 96,
  'webhook-listener': 384,
}

/** Processes that run with little right: no environment, a small heap, nothing on their streams. */
const sandboxDepsOf = (program: GuardedProgram): SandboxBrokerDeps => ({
  fork: () =>
    utilityProcess.fork(join(here, `${program}.js`), [], {
      serviceName: program === 'javascript-sandbox' ? 'Sagasmith sandbox' : 'Sagasmith web calls',
      stdio: 'ignore',
      env: {},
      execArgv: [`--max-old-space-size=${guardedHeapMb[program]}`],
    }),
  createChannel: () => new MessageChannelMain(),
  kill: (pid) => process.kill(pid, 'SIGKILL'),
})

function createEngine(log: (text: string) => void): EngineProcess {
  // The same directory as the command line's, so that both see the same runs.
  const named = app.commandLine.getSwitchValue('data')
  const { data } = loadSettings({ flags: { data: named === '' ? undefined : named } }).values
  return new EngineProcess({
    fork: () =>
      utilityProcess.fork(join(here, 'engine.js'), [data], {
        serviceName: 'Sagasmith engine',
        stdio: 'pipe',
        // Node's default lets garbage pile up to several times of what is alive; bench/ measures with this.
        execArgv: ['--max-semi-space-size=16'],
      }),
    createChannel: () => new MessageChannelMain(),
    startSandbox: (program) => startSandbox(sandboxDepsOf(program)),
    keyStore: createKeyStore(safeStorage, process.platform),
    clock: systemClock,
    log,
    onState: (state) => pushToPages(pushChannels.engineState, state),
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

function installMenu(): void {
  const template = menuTemplate({
    platform: process.platform,
    isPackaged: app.isPackaged,
    sendCommand: (id) => commandTarget()?.webContents.send(pushChannels.menuCommand, id),
    showAbout: () => app.showAboutPanel(),
  })
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

function openDesigner(settings: SettingsStore, startUrl: string): void {
  openWindow({
    create: (options) => new BrowserWindow(options),
    screen,
    settings,
    preloadPath: join(here, '../preload/index.cjs'),
    startUrl,
    isDark: () => nativeTheme.shouldUseDarkColors,
  })
}

function createServices(settings: SettingsStore, log: (text: string) => void) {
  const files = createFiles({ settings, clock: systemClock, onUsed: (path) => app.addRecentDocument(path) })
  const openRequests = createOpenRequests(() => pushToPages(pushChannels.openRequest))
  return { engine: createEngine(log), files, settings, openRequests }
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
  const services = createServices(settings, log)
  const { engine, files, openRequests } = services
  const open = (path: string | null): void => {
    if (path !== null) openRequests.put(files.grant(path))
  }

  nativeTheme.themeSource = settings.get().theme
  protocol.handle(appScheme, appProtocolHandler(join(here, '../renderer')))
  guardSession(session.defaultSession, trustedOrigin)
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents, { trustedOrigin, openExternal: (url) => void shell.openExternal(url) })
  })
  registerRequests(
    {
      ipc: ipcMain,
      trustedOrigin,
      onRefused: (channel, reason) => log(`ipc: refused ${channel} from ${reason}\n`),
    },
    createRequestHandlers(services),
  )
  stopEngineOnQuit(engine, settings)
  forwardPowerEvents(powerMonitor, (hint) => engine.power(hint))
  app.on('second-instance', (_event, argv, cwd) => {
    open(fileOfCommandLine({ argv, cwd, programCount }))
    showWindow()
  })
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openDesigner(settings, startUrl)
  })

  engine.start()
  openFile = open
  open(earlyFile ?? fileOfCommandLine({ argv: process.argv, cwd: process.cwd(), programCount }))
  openDesigner(settings, startUrl)
  installMenu()
}

if (app.requestSingleInstanceLock()) {
  prepare()
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  void app.whenReady().then(ready)
} else {
  // The first instance has been told and shows its window.
  app.quit()
}
