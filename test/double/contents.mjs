// WebContents: one Chromium page target, driven over its own DevTools session.

import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { codec } from './codec.mjs'
import { deliverSend, IpcMain, runHandler } from './ipc.mjs'
import { fromBrowserUrl, handleRequest, toBrowserUrl } from './network.mjs'
import { BINDING, PRELOAD_WORLD, pageScripts } from './page.mjs'
import { closeAllAt, closeFrom, sendFrom, transferPorts } from './ports.mjs'
import { standIn } from './stand-in.mjs'

const live = new Map()
let nextId = 1

/** Reads a preload; a file that cannot be read or parsed is reported as Electron reports it. */
function readPreload(preferences) {
  const path = preferences.preload
  const source = readFileSync(path, 'utf8')
  new Script(`(function () {${source}\n})`, { filename: path })
  const { platform, arch, versions, env } = process
  const argv = [process.argv[0], ...(preferences.additionalArguments ?? [])]
  return { path, source, process: { platform, arch, versions: { ...versions }, env: { ...env }, argv } }
}

export class WebContents extends EventEmitter {
  id = nextId++
  ipc = new IpcMain()
  session = null
  targetId = null
  #sessionId = null
  #preferences
  #url = ''
  #title = ''
  #preloadContext = null
  #pagePorts = new Map()
  #expected = []
  #openHandler = null
  #isDestroyed = false
  #isLoading = false
  #zoomFactor = 1
  #onScreen
  #attached
  portHome = {
    receive: (id, data) => this.#deliver({ kind: 'port', id: this.#pageIdOf(id), data: codec.encode(data) }),
    closed: (id) => this.#deliver({ kind: 'portClosed', id: this.#pageIdOf(id) }),
  }

  constructor(preferences, onScreen) {
    super()
    this.setMaxListeners(0)
    this.#preferences = preferences
    this.#onScreen = onScreen
    for (const wanted of ['nodeIntegration', 'webviewTag']) {
      if (preferences[wanted] === true) standIn.refuse(`webPreferences.${wanted}`)
    }
    if (preferences.contextIsolation === false || preferences.sandbox === false) {
      standIn.refuse('a window without contextIsolation or without sandbox')
    }
    live.set(this.id, this)
  }

  /** Commands wait for this promise, which the window makes. */
  attachLater(attached) {
    this.#attached = attached
  }

  /** Binds to a target, about:blank or what a life before left, and prepares it; called once by the window. */
  async attach(targetId) {
    this.targetId = targetId
    await this.#prepare(targetId)
    // What the life before left there hears nothing.
    this.#preloadContext = null
  }

  /** Lets go of its target, which stays, with nothing of this life in what it will load. */
  async detach() {
    await standIn.cdp.send('Target.detachFromTarget', { sessionId: this.#sessionId })
  }

  /** A DevTools command in this page's session. */
  async command(method, params = {}) {
    await this.#attached
    return this.#send(method, params)
  }

  #send = (method, params = {}) => standIn.cdp.send(method, params, this.#sessionId)

  async #prepare(targetId) {
    const { sessionId } = await standIn.cdp.send('Target.attachToTarget', { targetId, flatten: true })
    this.#sessionId = sessionId
    standIn.cdp.listen(sessionId, (method, params) => this.#events[method]?.(params))
    const { width, height } = this.#onScreen()
    await Promise.all([
      this.#send('Page.enable'),
      this.#send('Runtime.enable'),
      this.#send('Inspector.enable'),
      this.#send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] }),
      this.#send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      }),
      ...this.#preloadCommands(),
    ])
  }

  #preloadCommands() {
    if (this.#preferences.preload === undefined) return []
    try {
      const scripts = pageScripts({ secret: randomUUID(), preload: readPreload(this.#preferences) })
      return [
        this.#send('Runtime.addBinding', { name: BINDING, executionContextName: PRELOAD_WORLD }),
        this.#send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page }),
        this.#send('Page.addScriptToEvaluateOnNewDocument', {
          source: scripts.isolated,
          worldName: PRELOAD_WORLD,
        }),
      ]
    } catch (error) {
      process.stderr.write(`Unable to load preload script: ${this.#preferences.preload}\n${error.message}\n`)
      setImmediate(() => this.emit('preload-error', {}, this.#preferences.preload, error))
      return []
    }
  }

  #events = {
    'Fetch.requestPaused': (paused) => {
      handleRequest(this, paused, this.#send).catch(() => undefined)
    },
    'Page.frameStartedLoading': ({ frameId }) => {
      if (frameId !== this.targetId) return
      this.#isLoading = true
      this.emit('did-start-loading', {})
    },
    'Page.frameNavigated': ({ frame }) => {
      if (frame.parentId !== undefined) return
      this.#url = `${frame.url}${frame.urlFragment ?? ''}`
      this.emit('did-navigate', {}, this.getURL(), 200, 'OK')
    },
    'Page.navigatedWithinDocument': ({ frameId, url }) => {
      if (frameId !== this.targetId) return
      this.#url = url
      this.emit('did-navigate-in-page', {}, this.getURL(), true, 1, 1)
    },
    'Page.domContentEventFired': () => this.emit('dom-ready', {}),
    'Page.loadEventFired': () => {
      if (this.#url === 'about:blank' || this.#url === '') return
      this.#isLoading = false
      this.emit('did-finish-load', {})
      this.emit('did-stop-loading', {})
    },
    'Page.windowOpen': ({ url, windowName, windowFeatures }) =>
      this.#askOpen({ url, windowName, windowFeatures }),
    'Runtime.executionContextCreated': ({ context }) => {
      const { frameId } = context.auxData ?? {}
      if (context.name === PRELOAD_WORLD && frameId === this.targetId) this.#preloadContext = context.id
    },
    'Runtime.executionContextDestroyed': ({ executionContextId }) => {
      if (executionContextId === this.#preloadContext) this.#leavePage()
    },
    'Runtime.executionContextsCleared': () => this.#leavePage(),
    'Runtime.bindingCalled': ({ name, payload }) => {
      if (name === BINDING) this.#fromPage(JSON.parse(payload))
    },
    'Runtime.consoleAPICalled': (call) => this.#console(call),
    'Inspector.targetCrashed': () => {
      this.#leavePage()
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
    },
  }

  #console({ type, args, stackTrace }) {
    const levels = { error: 'error', warning: 'warning', debug: 'debug' }
    const message = args.map((arg) => String(arg.value ?? arg.description ?? arg.type)).join(' ')
    const frame = stackTrace?.callFrames[0]
    const details = {
      level: levels[type] ?? 'info',
      message,
      lineNumber: frame?.lineNumber ?? 0,
      sourceId: frame?.url ?? '',
    }
    this.emit('console-message', { ...details, frame: this.mainFrame })
  }

  #askOpen({ url, windowName, windowFeatures }) {
    const details = {
      url: fromBrowserUrl(url),
      frameName: windowName,
      features: (windowFeatures ?? []).join(','),
      disposition: 'new-window',
      referrer: { url: this.getURL(), policy: 'strict-origin-when-cross-origin' },
    }
    const { action } = this.#openHandler?.(details) ?? { action: 'allow' }
    if (action !== 'deny') process.stderr.write(`electron double: allowed popups are not imitated: ${url}\n`)
  }

  #leavePage() {
    if (this.#preloadContext === null) return
    this.#preloadContext = null
    closeAllAt(this.portHome)
    this.#pagePorts.clear()
  }

  #fromPage(message) {
    const frame = this.#frame(message.url)
    const event = {
      sender: this,
      senderFrame: frame,
      processId: 1,
      frameId: 1,
      type: 'frame',
      returnValue: undefined,
    }
    if (message.kind === 'invoke') void this.#invoke(event, message)
    else if (message.kind === 'send')
      deliverSend(this, { ...event, reply: (...args) => this.send(...args) }, message)
    else if (message.kind === 'port') sendFrom(this.#endIdOf(message.id), codec.decode(message.data))
    else if (message.kind === 'portClosed') closeFrom(this.#endIdOf(message.id))
    else this.emit('preload-error', {}, message.path, new Error(message.message))
  }

  async #invoke(event, { id, channel, args }) {
    const context = this.#preloadContext
    const reply = await runHandler(event, channel, codec.decode(args))
    if (context === this.#preloadContext) this.#deliver({ kind: 'settle', id, channel, ...reply })
  }

  /** Ends that a page made are known there by the page's own name. */
  bindPagePort(pageId, endId) {
    this.#pagePorts.set(endId, pageId)
    this.#pagePorts.set(pageId, endId)
  }

  #pageIdOf(endId) {
    return this.#pagePorts.get(endId) ?? endId
  }

  #endIdOf(pageId) {
    return this.#pagePorts.get(pageId) ?? pageId
  }

  #deliver(message) {
    // A page without a frame yet, or one that is leaving, does not hear messages: as in Electron.
    if (this.#preloadContext === null) return
    this.#send('Runtime.callFunctionOn', {
      functionDeclaration: '(text) => globalThis.__electronDoubleReceive(text)',
      arguments: [{ value: JSON.stringify(message) }],
      executionContextId: this.#preloadContext,
    }).catch(() => undefined)
  }

  #frame(url) {
    const own = fromBrowserUrl(url)
    const contents = this
    return {
      url: own,
      origin: own.split('/').slice(0, 3).join('/'),
      parent: null,
      processId: 1,
      routingId: 1,
      isDestroyed: () => this.#isDestroyed,
      get top() {
        return contents.mainFrame
      },
      executeJavaScript: (code) => this.executeJavaScript(code),
      send: (channel, ...args) => this.send(channel, ...args),
      postMessage: (channel, message, transfer) => this.postMessage(channel, message, transfer),
    }
  }

  get mainFrame() {
    return this.#frame(this.#url)
  }

  /** True once for a navigation that the app itself asked for. */
  takeExpectedNavigation(url) {
    const at = this.#expected.indexOf(url.split('#')[0])
    if (at !== -1) this.#expected.splice(at, 1)
    return at !== -1
  }

  send(channel, ...args) {
    this.#deliver({ kind: 'message', channel, args: codec.encode(args), ports: [] })
  }

  postMessage(channel, message, transfer = []) {
    const { ids, flush } = transferPorts(transfer, this.portHome)
    if (this.#preloadContext === null) ids.forEach(closeFrom)
    this.#deliver({ kind: 'message', channel, args: codec.encode([message]), ports: ids })
    flush()
  }

  async loadURL(url) {
    await Promise.all([this.#attached, standIn.released])
    const target = toBrowserUrl(url)
    this.#expected.push(target.split('#')[0])
    const finished = new Promise((resolve) => this.once('did-finish-load', resolve))
    const { errorText } = await this.#send('Page.navigate', { url: target })
    if (errorText === undefined) return await finished.then(() => undefined)
    const code = errorText.replace('net::', '')
    this.emit('did-fail-load', {}, -2, code, url, true, 1, 1)
    throw Object.assign(new Error(`${code} (-2) loading '${url}'`), { code, errno: -2, url })
  }

  reload() {
    this.#expected.push(this.#url.split('#')[0])
    this.command('Page.reload').catch(() => undefined)
  }

  async executeJavaScript(expression) {
    const answer = await this.command('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })
    if (answer.exceptionDetails === undefined) return answer.result.value
    throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text)
  }

  async insertCSS(css) {
    await this.executeJavaScript(
      `{ const s = document.createElement('style'); s.textContent = ${JSON.stringify(css)}; document.head.append(s) }`,
    )
    return String(Math.random())
  }

  async printToPDF() {
    const { data } = await this.command('Page.printToPDF', { printBackground: true })
    return Buffer.from(data, 'base64')
  }

  /** The editing commands that menu roles run in the focused page. */
  editCommand(name) {
    this.executeJavaScript(`document.execCommand(${JSON.stringify(name)})`).catch(() => undefined)
  }

  undo = () => this.editCommand('undo')
  redo = () => this.editCommand('redo')
  cut = () => this.editCommand('cut')
  copy = () => this.editCommand('copy')
  paste = () => this.editCommand('paste')
  delete = () => this.editCommand('delete')
  selectAll = () => this.editCommand('selectAll')

  setWindowOpenHandler(handler) {
    this.#openHandler = handler
  }

  getURL = () => fromBrowserUrl(this.#url)
  getTitle = () => this.#title
  getUserAgent = () => `Electron/${process.versions.electron}`
  getType = () => 'window'
  getZoomFactor = () => this.#zoomFactor
  setZoomFactor = (factor) => (this.#zoomFactor = factor)
  isDestroyed = () => this.#isDestroyed
  isLoading = () => this.#isLoading
  isCrashed = () => false
  isDevToolsOpened = () => false
  openDevTools = () => standIn.record('openDevTools', { id: this.id })
  closeDevTools = () => undefined
  toggleDevTools = () => this.openDevTools()
  setBackgroundThrottling = () => undefined
  focus = () => undefined
  isFocused = () => true

  /** Playwright closes pages through this. */
  close() {
    this.emit('double-close')
  }

  /** Called by the window when its target is gone. */
  destroyed() {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.#leavePage()
    standIn.cdp?.unlisten(this.#sessionId)
    live.delete(this.id)
    this.emit('destroyed')
  }

  static fromId = (id) => live.get(id)
  static fromDevToolsTargetId = (targetId) => [...live.values()].find((one) => one.targetId === targetId)
  static getAllWebContents = () => [...live.values()]
  static getFocusedWebContents = () => [...live.values()].at(-1) ?? null
}
