// What the desktop around the windows offers: dialogs, shell, clipboard, secrets, notifications,
// theme, screen, power, session. Plain objects; what a person would notice is recorded.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from './app.mjs'
import { protocol } from './network.mjs'
import { standIn } from './stand-in.mjs'

const withoutWindow = (args) => (args.length > 1 || args[0] instanceof EventEmitter ? args[1] : args[0]) ?? {}

/** Nobody sits in front: open and save answer as if cancelled. Specs replace these functions. */
export const dialog = {
  showOpenDialog: async (...args) => {
    standIn.record('openDialog', { options: withoutWindow(args) })
    return { canceled: true, filePaths: [] }
  },
  showSaveDialog: async (...args) => {
    standIn.record('saveDialog', { options: withoutWindow(args) })
    return { canceled: true, filePath: '' }
  },
  showMessageBox: async (...args) => {
    const options = withoutWindow(args)
    standIn.record('messageBox', { options })
    return { response: options.cancelId ?? options.defaultId ?? 0, checkboxChecked: false }
  },
  showErrorBox: (title, content) => {
    standIn.record('errorBox', { title, content })
    process.stderr.write(`${title}\n${content}\n`)
  },
}

export const shell = {
  openExternal: async (url) => standIn.record('openExternal', { url }),
  openPath: async (path) => {
    standIn.record('openPath', { path })
    return ''
  },
  showItemInFolder: (path) => standIn.record('showItemInFolder', { path }),
  trashItem: async (path) => standIn.record('trashItem', { path }),
  beep: () => standIn.record('beep', {}),
}

let clipboardText = ''
/** Asynchronous, as in Electron 45. */
export const clipboard = {
  readText: async () => clipboardText,
  writeText: async (text) => {
    if (typeof text !== 'string') throw new TypeError('text must be a string')
    clipboardText = text
  },
  clear: () => {
    clipboardText = ''
  },
  has: async (mimetype) => mimetype === 'text/plain' && clipboardText !== '',
}

function secretKey() {
  const file = join(app.getPath('userData'), 'double-secret.key')
  if (!existsSync(file)) {
    mkdirSync(app.getPath('userData'), { recursive: true })
    writeFileSync(file, randomBytes(32), { mode: 0o600 })
  }
  return readFileSync(file)
}

/** The asynchronous API only: the synchronous one leaves with Electron 46. */
export const safeStorage = {
  isAsyncEncryptionAvailable: async () => app.isReady(),
  getSelectedStorageBackend: () => (app.isReady() ? 'basic_text' : 'unknown'),
  encryptStringAsync: async (plain) => {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', secretKey(), iv)
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from('v99'), iv, cipher.getAuthTag(), body])
  },
  decryptStringAsync: async (encrypted) => {
    const bytes = Buffer.from(encrypted)
    if (bytes.subarray(0, 3).toString() !== 'v99')
      throw new Error('Error while decrypting the ciphertext provided.')
    const decipher = createDecipheriv('aes-256-gcm', secretKey(), bytes.subarray(3, 15))
    decipher.setAuthTag(bytes.subarray(15, 31))
    const result = Buffer.concat([decipher.update(bytes.subarray(31)), decipher.final()]).toString('utf8')
    return { result, shouldReEncrypt: false }
  },
}

export class Notification extends EventEmitter {
  constructor(options = {}) {
    super()
    Object.assign(this, { title: '', body: '', ...options })
  }

  show() {
    standIn.record('notification', { title: this.title, body: this.body })
    setImmediate(() => this.emit('show', {}))
  }

  close = () => setImmediate(() => this.emit('close', {}))
  static isSupported = () => true
}

class NativeTheme extends EventEmitter {
  #source = 'system'

  get themeSource() {
    return this.#source
  }

  set themeSource(source) {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError(`Invalid themeSource ${source}`)
    this.#source = source
    const value = source === 'system' ? '' : source
    for (const { webContents } of app.windows) {
      const features = [{ name: 'prefers-color-scheme', value }]
      webContents.command('Emulation.setEmulatedMedia', { features }).catch(() => undefined)
    }
    setImmediate(() => this.emit('updated', {}))
  }

  get shouldUseDarkColors() {
    return this.#source === 'dark'
  }

  shouldUseHighContrastColors = false
  prefersReducedTransparency = false
}

export const nativeTheme = new NativeTheme()

const display = {
  id: 1,
  label: 'double',
  scaleFactor: 1,
  rotation: 0,
  internal: true,
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  size: { width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1040 },
  workAreaSize: { width: 1920, height: 1040 },
}

export const screen = Object.assign(new EventEmitter(), {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
  getDisplayMatching: () => display,
  getDisplayNearestPoint: () => display,
  getCursorScreenPoint: () => ({ x: 0, y: 0 }),
})

export const powerMonitor = Object.assign(new EventEmitter(), {
  getSystemIdleState: () => 'active',
  getSystemIdleTime: () => 0,
  getCurrentThermalState: () => 'unknown',
  isOnBatteryPower: () => false,
  onBatteryPower: false,
})

const blockers = new Set()
export const powerSaveBlocker = {
  start: () => {
    const id = blockers.size + 1
    blockers.add(id)
    return id
  },
  stop: (id) => blockers.delete(id),
  isStarted: (id) => blockers.has(id),
}

export class NativeImage {
  #png
  #size
  constructor(png = Buffer.alloc(0), size = { width: 0, height: 0 }) {
    this.#png = png
    this.#size = size
  }

  isEmpty = () => this.#png.length === 0
  getSize = () => ({ ...this.#size })
  toPNG = () => Buffer.from(this.#png)
  toDataURL = () => `data:image/png;base64,${this.#png.toString('base64')}`
  resize = () => this
  setTemplateImage = () => undefined
}

export const nativeImage = {
  createEmpty: () => new NativeImage(),
  createFromPath: (path) => new NativeImage(existsSync(path) ? readFileSync(path) : Buffer.alloc(0)),
  createFromBuffer: (buffer) => new NativeImage(buffer),
}

export class Tray extends EventEmitter {
  #isDestroyed = false
  setToolTip = (text) => standIn.record('trayToolTip', { text })
  setContextMenu = () => undefined
  setImage = () => undefined
  isDestroyed = () => this.#isDestroyed
  destroy = () => void (this.#isDestroyed = true)
}

const shortcuts = new Map()
export const globalShortcut = {
  register: (accelerator, run) => Boolean(shortcuts.set(accelerator, run)),
  unregister: (accelerator) => void shortcuts.delete(accelerator),
  unregisterAll: () => shortcuts.clear(),
  isRegistered: (accelerator) => shortcuts.has(accelerator),
}

/** Handlers are kept, not enforced: Chromium's own prompts stay in charge of permissions here. */
class Session extends EventEmitter {
  protocol = protocol
  permissionRequestHandler = null
  permissionCheckHandler = null
  devicePermissionHandler = null
  webRequest = {
    onBeforeRequest: () => undefined,
    onHeadersReceived: () => undefined,
    onBeforeSendHeaders: () => undefined,
  }

  setPermissionRequestHandler = (handler) => void (this.permissionRequestHandler = handler)
  setPermissionCheckHandler = (handler) => void (this.permissionCheckHandler = handler)
  setDevicePermissionHandler = (handler) => void (this.devicePermissionHandler = handler)
  setDisplayMediaRequestHandler = () => undefined
  setSpellCheckerEnabled = () => undefined
  clearCache = async () => undefined
  clearStorageData = async () => undefined
  flushStorageData = () => undefined
  fetch = (...args) => fetch(...args)
  getUserAgent = () => `Electron/${process.versions.electron}`
}

const defaultSession = new Session()
export const session = {
  defaultSession,
  fromPartition: () => standIn.refuse('session.fromPartition'),
}

export const net = { fetch: (...args) => fetch(...args), isOnline: () => true }
export const crashReporter = { start: () => undefined }
export const systemPreferences = Object.assign(new EventEmitter(), { getColor: () => '#000000' })
