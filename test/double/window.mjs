// BrowserWindow: geometry, visibility and life of one Chromium page target.
import { EventEmitter } from 'node:events'
import { app } from './app.mjs'
import { leftTargets } from './chromium.mjs'
import { WebContents } from './contents.mjs'
import { NativeImage, session } from './desk.mjs'
import { standIn } from './stand-in.mjs'

const byId = new Map()
let nextId = 1
let focused = null
/** Targets this process makes or has made; any other page is a popup and is closed. */
const ownTargets = new Set()
let creating = Promise.resolve()

/** Creates a page target, or takes the one that is left; creations are serialized so that popups can be told apart. */
function createTarget(size) {
  const left = leftTargets.pop()
  if (left !== undefined) {
    ownTargets.add(left)
    return Promise.resolve(left)
  }
  const made = creating.then(async () => {
    const { targetId } = await standIn.cdp.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      ...size,
    })
    ownTargets.add(targetId)
    return targetId
  })
  creating = made.catch(() => undefined)
  return made
}

function watchTargets() {
  standIn.cdp.listen('', (method, params) => {
    if (method === 'Target.targetDestroyed') {
      for (const window of byId.values())
        if (window.webContents.targetId === params.targetId) window.targetGone()
    }
    if (method !== 'Target.targetCreated' || params.targetInfo.type !== 'page') return
    const { targetId } = params.targetInfo
    creating
      .then(() => {
        if (ownTargets.has(targetId)) return
        return standIn.cdp.send('Target.closeTarget', { targetId })
      })
      .catch(() => undefined)
  })
  standIn.cdp.send('Target.setDiscoverTargets', { discover: true }).catch(() => undefined)
}

let isWatching = false

export class BrowserWindow extends EventEmitter {
  id = nextId++
  #bounds
  #title
  #isVisible
  #isMinimized = false
  #isMaximized = false
  #isFullScreen = false
  #isClosing = false
  #isDestroyed = false
  #isShownOnce = false
  #backgroundColor
  #minimumSize = [0, 0]

  constructor(options = {}) {
    super()
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    if (!isWatching) watchTargets()
    isWatching = true
    const { x = 0, y = 0, width = 800, height = 600, show = true, title = app.getName() } = options
    this.#bounds = { x, y, width, height }
    this.#title = title
    this.#isVisible = show
    this.#backgroundColor = options.backgroundColor ?? '#FFF'
    this.#minimumSize = [options.minWidth ?? 0, options.minHeight ?? 0]
    this.webContents = new WebContents(options.webPreferences ?? {}, () => this.#bounds)
    this.webContents.session = session.defaultSession
    this.webContents.on('double-close', () => this.close())
    this.webContents.once('did-finish-load', () => this.#firstPaint())
    this.webContents.on('did-navigate', () =>
      setImmediate(() => this.emit('page-title-updated', {}, this.#title, true)),
    )
    byId.set(this.id, this)
    app.windows.add(this)
    if (show) focused = this
    this.attached = createTarget({ width, height }).then((targetId) => this.webContents.attach(targetId))
    this.webContents.attachLater(this.attached)
    this.attached.catch((error) => process.stderr.write(`electron double: window: ${error.message}\n`))
    app.emit('web-contents-created', {}, this.webContents)
    app.emit('browser-window-created', {}, this)
  }

  #firstPaint() {
    if (this.#isShownOnce) return
    this.#isShownOnce = true
    this.emit('ready-to-show')
  }

  loadURL = (url) => this.webContents.loadURL(url)
  loadFile = (path) => this.webContents.loadURL(new URL(path, 'file:///').href)
  reload = () => this.webContents.reload()

  async capturePage() {
    const { data } = await this.webContents.command('Page.captureScreenshot', { format: 'png' })
    return new NativeImage(Buffer.from(data, 'base64'), {
      width: this.#bounds.width,
      height: this.#bounds.height,
    })
  }

  // --- visibility --------------------------------------------------------------------------------

  show() {
    this.#isMinimized = false
    this.#setVisible(true)
    this.focus()
  }

  showInactive = () => this.#setVisible(true)
  hide = () => this.#setVisible(false)
  isVisible = () => this.#isVisible && !this.#isMinimized

  #setVisible(isVisible) {
    if (this.#isVisible === isVisible) return
    this.#isVisible = isVisible
    this.emit(isVisible ? 'show' : 'hide')
  }

  focus() {
    if (focused === this) return
    focused?.blur()
    focused = this
    this.emit('focus')
    app.emit('browser-window-focus', {}, this)
  }

  blur() {
    if (focused !== this) return
    focused = null
    this.emit('blur')
    app.emit('browser-window-blur', {}, this)
  }

  isFocused = () => focused === this

  minimize() {
    this.#isMinimized = true
    this.emit('minimize')
  }

  restore() {
    this.#isMinimized = false
    this.emit('restore')
  }

  maximize() {
    this.#isMaximized = true
    this.emit('maximize')
  }

  unmaximize() {
    this.#isMaximized = false
    this.emit('unmaximize')
  }

  setFullScreen(isFullScreen) {
    this.#isFullScreen = isFullScreen
    this.emit(isFullScreen ? 'enter-full-screen' : 'leave-full-screen')
  }

  isMinimized = () => this.#isMinimized
  isMaximized = () => this.#isMaximized
  isFullScreen = () => this.#isFullScreen
  isNormal = () => !this.#isMinimized && !this.#isMaximized && !this.#isFullScreen

  // --- geometry and looks ------------------------------------------------------------------------

  getBounds = () => ({ ...this.#bounds })
  getNormalBounds = () => ({ ...this.#bounds })
  getContentBounds = () => ({ ...this.#bounds })
  getSize = () => [this.#bounds.width, this.#bounds.height]
  getContentSize = () => this.getSize()
  getPosition = () => [this.#bounds.x, this.#bounds.y]
  getMinimumSize = () => [...this.#minimumSize]

  setBounds(bounds) {
    const before = this.#bounds
    this.#bounds = { ...before, ...bounds }
    const { width, height, x, y } = this.#bounds
    this.webContents
      .command('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
      .catch(() => undefined)
    if (x !== before.x || y !== before.y) this.emit('move')
    if (width !== before.width || height !== before.height) this.emit('resize')
  }

  setSize = (width, height) => this.setBounds({ width, height })
  setContentSize = (width, height) => this.setBounds({ width, height })
  setPosition = (x, y) => this.setBounds({ x, y })
  setMinimumSize = (width, height) => void (this.#minimumSize = [width, height])
  center = () => undefined
  getTitle = () => this.#title
  setTitle = (title) => void (this.#title = title)
  getBackgroundColor = () => this.#backgroundColor
  setBackgroundColor = (color) => void (this.#backgroundColor = color)
  setTitleBarOverlay = () => undefined
  setRepresentedFilename = () => undefined
  setDocumentEdited = () => undefined
  setProgressBar = (value) => standIn.record('progressBar', { value })
  flashFrame = () => standIn.record('flashFrame', { id: this.id })
  setMenu = () => undefined
  removeMenu = () => undefined
  setMenuBarVisibility = () => undefined
  setAutoHideMenuBar = () => undefined
  getNativeWindowHandle = () => Buffer.alloc(8)

  // --- end ---------------------------------------------------------------------------------------

  isDestroyed = () => this.#isDestroyed
  isClosing = () => this.#isClosing || this.#isDestroyed

  close() {
    if (this.isClosing()) return
    let isPrevented = false
    const event = {
      get defaultPrevented() {
        return isPrevented
      },
      preventDefault: () => {
        isPrevented = true
      },
    }
    this.emit('close', event)
    if (!isPrevented) this.#closeTarget()
  }

  destroy() {
    if (!this.isClosing()) this.#closeTarget()
  }

  #closeTarget() {
    this.#isClosing = true
    this.attached.then(() => this.#leaveTarget()).catch(() => this.targetGone())
  }

  async #leaveTarget() {
    const { targetId } = this.webContents
    if (!app.leavesPage || leftTargets.length > 0) return standIn.cdp.send('Target.closeTarget', { targetId })
    leftTargets.push(targetId)
    await this.webContents.detach()
    this.targetGone()
  }

  /** The page target is gone: closed by us, by the page itself or by a test. */
  targetGone() {
    if (this.#isDestroyed) return
    if (!this.#isClosing) this.emit('close', { preventDefault: () => undefined })
    this.#end()
    app.windowGone()
  }

  #end() {
    this.#isDestroyed = true
    byId.delete(this.id)
    app.windows.delete(this)
    if (focused === this) focused = null
    this.webContents.destroyed()
    this.emit('closed')
  }

  /** `app.exit` ends windows without asking. */
  destroyForExit = () => this.#end()

  static getAllWindows = () => [...byId.values()]
  static getFocusedWindow = () => focused
  static fromId = (id) => byId.get(id) ?? null
  static fromWebContents = (contents) =>
    [...byId.values()].find((one) => one.webContents === contents) ?? null
}
