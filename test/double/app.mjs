// Electron's `app`: paths, the single-instance lock, the order of events at start and at quit.
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from './chromium.mjs'
import { standIn } from './stand-in.mjs'

const NOTIFY_LIMIT_MS = 2000

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

class CommandLine {
  appendSwitch = (name, value = '') => void standIn.switches.set(name, value)
  appendArgument = () => undefined
  hasSwitch = (name) => standIn.switches.has(name)
  getSwitchValue = (name) => standIn.switches.get(name) ?? ''
  removeSwitch = (name) => void standIn.switches.delete(name)
}

class App extends EventEmitter {
  commandLine = new CommandLine()
  dock = undefined
  /** Open windows, in order of creation; BrowserWindow keeps it. */
  windows = new Set()
  #paths = new Map()
  #name = null
  #isReady = false
  #isQuitting = false
  #isExiting = false
  #isOver = false
  /** Told once the life is over, where another one follows in this process. */
  #onOver = null
  #isSandboxEnabled = false
  #closeBrowser = async () => undefined
  #exitTasks = []
  #lockFile = null
  #server = null
  #notified = Promise.resolve()
  #ready = Promise.withResolvers()

  constructor() {
    super()
    this.setMaxListeners(0)
  }

  get isPackaged() {
    return standIn.isPackaged
  }

  get name() {
    return this.getName()
  }

  set name(value) {
    this.setName(value)
  }

  getName = () => this.#name ?? standIn.name
  setName = (name) => void (this.#name = name)
  getVersion = () => standIn.manifest.version ?? process.versions.electron
  getAppPath = () => standIn.appPath
  getLocale = () => 'en-US'
  getSystemLocale = () => 'en-US'
  getPreferredSystemLanguages = () => ['en-US']
  getAppMetrics = () => []
  isReady = () => this.#isReady
  whenReady = () => this.#ready.promise
  isAccessibilitySupportEnabled = () => false
  setAboutPanelOptions = (options) => standIn.record('aboutPanelOptions', { options })
  showAboutPanel = () => standIn.record('aboutPanel', {})
  setAppUserModelId = () => undefined
  setAsDefaultProtocolClient = () => true
  addRecentDocument = (path) => standIn.record('recentDocument', { path })
  clearRecentDocuments = () => standIn.record('recentDocumentsCleared', {})
  disableHardwareAcceleration = () => undefined
  setLoginItemSettings = () => undefined
  setBadgeCount = () => true
  focus = () => undefined
  hide = () => undefined
  relaunch = () => standIn.record('relaunch', {})

  enableSandbox() {
    if (this.#isReady) throw new Error('app.enableSandbox() can only be called before app is ready')
    this.#isSandboxEnabled = true
  }

  /** For the stand-in's own checks: whether the app asked for the sandbox. */
  isSandboxEnabled = () => this.#isSandboxEnabled

  getPath(name) {
    const set = this.#paths.get(name)
    if (set !== undefined) return set
    const config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
    const places = {
      home: () => homedir(),
      appData: () => config,
      userData: () => standIn.defaultUserData,
      sessionData: () => this.getPath('userData'),
      logs: () => join(this.getPath('userData'), 'logs'),
      crashDumps: () => join(this.getPath('userData'), 'Crashpad'),
      temp: () => tmpdir(),
      exe: () => process.argv[0],
      documents: () => join(homedir(), 'Documents'),
      downloads: () => join(homedir(), 'Downloads'),
      desktop: () => join(homedir(), 'Desktop'),
    }
    if (!Object.hasOwn(places, name)) throw new Error(`Failed to get '${name}' path`)
    return places[name]()
  }

  setPath = (name, path) => void this.#paths.set(name, path)
  setAppLogsPath = (path) => void this.#paths.set('logs', path ?? join(this.getPath('userData'), 'logs'))

  // --- single instance ---------------------------------------------------------------------------

  get #socketPath() {
    const hash = createHash('sha256').update(this.getPath('userData')).digest('hex').slice(0, 24)
    return join(tmpdir(), `electron-double-${hash}.sock`)
  }

  requestSingleInstanceLock(additionalData = null) {
    if (this.#lockFile !== null) return true
    mkdirSync(this.getPath('userData'), { recursive: true })
    const file = join(this.getPath('userData'), 'double-instance.lock')
    for (let tries = 0; tries < 3; tries++) {
      try {
        writeFileSync(file, String(process.pid), { flag: 'wx' })
        this.#lockFile = file
        this.#listenForOthers()
        return true
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      const owner = Number(readFileSync(file, 'utf8'))
      if (owner > 0 && isAlive(owner)) break
      rmSync(file, { force: true })
    }
    this.#notified = this.#tellFirst({ argv: process.argv, cwd: process.cwd(), additionalData })
    return false
  }

  hasSingleInstanceLock = () => this.#lockFile !== null

  releaseSingleInstanceLock() {
    if (this.#lockFile !== null) rmSync(this.#lockFile, { force: true })
    this.#lockFile = null
    this.#server?.close()
  }

  #listenForOthers() {
    rmSync(this.#socketPath, { force: true })
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      let text = ''
      socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      socket.on('error', () => undefined)
      socket.on('end', () => {
        socket.end('heard')
        const { argv, cwd, additionalData } = JSON.parse(text)
        void this.whenReady().then(() => this.emit('second-instance', {}, argv, cwd, additionalData))
      })
    }).listen(this.#socketPath)
    this.#server.unref()
  }

  #tellFirst(message) {
    return new Promise((resolve) => {
      const socket = createConnection(this.#socketPath, () => socket.end(JSON.stringify(message)))
      socket.setTimeout(NOTIFY_LIMIT_MS, () => socket.destroy())
      socket
        .on('error', () => undefined)
        .on('data', () => undefined)
        .on('close', resolve)
    })
  }

  // --- life --------------------------------------------------------------------------------------

  /** Registers a task that runs when the app exits, whatever the way. */
  atExit = (task) => void this.#exitTasks.push(task)

  /** Called by boot.mjs once the main module has run. */
  async start() {
    if (this.#isQuitting || this.#isExiting) return
    const { cdp, close } = await startChromium({ userData: this.getPath('userData'), args: standIn.args })
    this.#closeBrowser = close
    standIn.cdp = cdp
    cdp.once('end', () => {
      if (!this.#isExiting) void this.exit(1)
    })
    this.#isReady = true
    this.emit('will-finish-launching')
    this.emit('ready', {}, {})
    this.#ready.resolve()
  }

  #emitPreventable(name) {
    let isPrevented = false
    this.emit(name, {
      preventDefault: () => {
        isPrevented = true
      },
    })
    return !isPrevented
  }

  /** Ends the app as `quit` does, but for its process and its browser: another life of it will follow there. */
  endLife() {
    return new Promise((resolve) => {
      this.#onOver = resolve
      this.quit()
    })
  }

  /** Whether its last window's page is to be left to the life after it. */
  get leavesPage() {
    return this.#onOver !== null
  }

  quit() {
    // Between two lives nothing is left of the app that could refuse.
    if (this.#isOver) void this.#end(0)
    if (this.#isQuitting || this.#isExiting) return
    if (!this.#emitPreventable('before-quit')) return
    this.#isQuitting = true
    for (const window of [...this.windows]) window.close()
    if (this.windows.size === 0) this.#finishQuit()
    else if ([...this.windows].some((window) => !window.isClosing())) this.#isQuitting = false
  }

  /** Called by a window that is gone. */
  windowGone() {
    if (this.windows.size > 0 || this.#isExiting) return
    if (this.#isQuitting) this.#finishQuit()
    else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed')
    else this.quit()
  }

  #finishQuit() {
    if (!this.#emitPreventable('will-quit')) {
      this.#isQuitting = false
      return
    }
    void this.exit(0)
  }

  async exit(code = 0) {
    if (this.#isExiting) return
    this.#isExiting = true
    for (const window of [...this.windows]) window.destroyForExit()
    this.emit('quit', {}, code)
    for (const task of this.#exitTasks) task()
    await this.#notified
    this.#isOver = this.#onOver !== null
    if (!this.#isOver) return this.#end(code)
    this.releaseSingleInstanceLock()
    this.#onOver()
  }

  async #end(code) {
    await this.#closeBrowser()
    this.releaseSingleInstanceLock()
    process.exit(code)
  }
}

export const app = new App()

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => app.quit())
