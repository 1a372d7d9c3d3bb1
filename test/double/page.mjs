// The scripts that run inside a page: one in the page's own world, one in the preload's isolated
// world. Both functions are sent as source text, so they use nothing from this module.
import { createCodec } from './codec.mjs'

/** The name of the isolated world that preload scripts live in. */
export const PRELOAD_WORLD = 'Electron Isolated Context'
/** The binding by which the isolated world talks to the main process; pages never see it. */
export const BINDING = '__electronDoubleSend'

/** Carries values, functions and promises between the two worlds, synchronously, over DOM events. */
function createBridge(secret, side) {
  const MARK = '$bridge'
  const emit = EventTarget.prototype.dispatchEvent.bind(window)
  const Detail = CustomEvent
  const other = side === 'page' ? 'preload' : 'page'
  const functions = new Map()
  const promises = new Map()
  const answers = new Map()
  let next = 1

  const send = (message) => emit(new Detail(`${secret}:${other}`, { detail: message }))
  const settle = (id, promise) =>
    promise.then(
      (value) => send({ kind: 'settle', id, ok: true, value: wrap(value) }),
      (error) => send({ kind: 'settle', id, ok: false, value: String(error?.message ?? error) }),
    )
  const keep = (table, value) => {
    const id = next++
    table.set(id, value)
    return id
  }
  const isPlain = (value) => {
    const name = Object.prototype.toString.call(value)
    return name === '[object Object]' && !(value instanceof Error)
  }
  const wrap = (value) => {
    if (typeof value === 'function') return { [MARK]: 'function', id: keep(functions, value) }
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Promise) {
      const id = keep(promises, value)
      void settle(id, value)
      return { [MARK]: 'promise', id }
    }
    if (Array.isArray(value)) return value.map(wrap)
    if (!isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wrap(item)]))
  }
  const call = (id, args) => {
    const slot = next++
    send({ kind: 'call', id, args: args.map(wrap), slot })
    const answer = answers.get(slot)
    answers.delete(slot)
    if (answer === undefined) throw new Error('The bridged function is gone')
    if (!answer.ok) throw new Error(answer.value)
    return unwrap(answer.value)
  }
  const waiting = new Map()
  const unwrap = (value) => {
    if (typeof value !== 'object' || value === null) return value
    if (value[MARK] === 'function') return (...args) => call(value.id, args)
    if (value[MARK] === 'promise') {
      return new Promise((resolve, reject) => waiting.set(value.id, { resolve, reject }))
    }
    if (Array.isArray(value)) return value.map(unwrap)
    if (!isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrap(item)]))
  }
  const run = ({ id, args, slot }) => {
    try {
      send({ kind: 'answer', slot, ok: true, value: wrap(functions.get(id)(...args.map(unwrap))) })
    } catch (error) {
      send({ kind: 'answer', slot, ok: false, value: String(error?.message ?? error) })
    }
  }
  const finish = ({ id, ok, value }) => {
    const promise = waiting.get(id)
    waiting.delete(id)
    if (ok) promise?.resolve(unwrap(value))
    else promise?.reject(new Error(value))
  }
  const listen = (onMessage) => {
    window.addEventListener(`${secret}:${side}`, ({ detail }) => {
      if (detail.kind === 'call') run(detail)
      else if (detail.kind === 'answer') answers.set(detail.slot, detail)
      else if (detail.kind === 'settle') finish(detail)
      else onMessage(detail)
    })
  }
  return { send, wrap, unwrap, listen }
}

/** Page world: puts what the preload exposes on `window`, frozen. */
function pageWorld(secret, makeBridge) {
  const bridge = makeBridge(secret, 'page')
  const freeze = (value) => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
      Object.values(value).forEach(freeze)
      Object.freeze(value)
    }
    return value
  }
  bridge.listen(({ kind, key, api }) => {
    if (kind !== 'expose' || Object.hasOwn(window, key)) return
    const value = freeze(bridge.unwrap(api))
    Object.defineProperty(window, key, { value, enumerable: true, writable: false, configurable: false })
  })
  bridge.send({ kind: 'hello' })
}

/** Isolated world: `require('electron')` of a sandboxed preload, and the way to the main process. */
function preloadWorld(options, makeBridge, makeCodec, body) {
  if (window.top !== window) return
  const codec = makeCodec()
  const bridge = makeBridge(options.secret, 'preload')
  const toMain = globalThis[options.binding]
  const send = (message) => toMain(JSON.stringify({ ...message, url: location.href }))
  const ports = new Map()
  const pending = new Map()
  const exposed = new Map()
  let next = 1

  const adopt = (id, port) => {
    ports.set(id, port)
    port.onmessage = ({ data }) => send({ kind: 'port', id, data: codec.encode(data) })
    port.onclose = () => {
      if (ports.delete(id)) send({ kind: 'portClosed', id })
    }
  }
  const createPort = (id) => {
    const { port1, port2 } = new MessageChannel()
    adopt(id, port1)
    return port2
  }

  const listeners = new Map()
  const listenersOf = (channel) => {
    const present = listeners.get(channel)
    if (present !== undefined) return present
    const made = []
    listeners.set(channel, made)
    return made
  }
  const emit = (channel, event, args) => {
    for (const entry of [...listenersOf(channel)]) {
      if (entry.once) ipcRenderer.removeListener(channel, entry.fn)
      entry.fn(event, ...args)
    }
  }
  const ipcRenderer = {
    invoke: (channel, ...args) => {
      const id = next++
      const payload = codec.encode(args)
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject })
        send({ kind: 'invoke', id, channel, args: payload })
      })
    },
    send: (channel, ...args) => send({ kind: 'send', channel, args: codec.encode(args), ports: [] }),
    postMessage: (channel, message, transfer = []) => {
      const ids = transfer.map((port) => {
        const id = `page-${next++}`
        adopt(id, port)
        return id
      })
      send({ kind: 'send', channel, args: codec.encode([message]), ports: ids })
    },
    sendSync: () => {
      throw new Error('electron double: ipcRenderer.sendSync is not imitated')
    },
    on: (channel, fn) => {
      listenersOf(channel).push({ fn, once: false })
      return ipcRenderer
    },
    once: (channel, fn) => {
      listenersOf(channel).push({ fn, once: true })
      return ipcRenderer
    },
    removeListener: (channel, fn) => {
      const list = listenersOf(channel)
      const at = list.findIndex((entry) => entry.fn === fn)
      if (at !== -1) list.splice(at, 1)
      return ipcRenderer
    },
    removeAllListeners: (channel) => {
      if (channel === undefined) listeners.clear()
      else listeners.delete(channel)
      return ipcRenderer
    },
  }
  ipcRenderer.addListener = ipcRenderer.on
  ipcRenderer.off = ipcRenderer.removeListener

  const contextBridge = {
    exposeInMainWorld: (key, api) => {
      if (exposed.has(key)) {
        throw new Error('Cannot bind an API on top of an existing property on the window object')
      }
      const message = { kind: 'expose', key, api: bridge.wrap(api) }
      exposed.set(key, message)
      bridge.send(message)
    },
  }
  bridge.listen(({ kind }) => {
    if (kind === 'hello') for (const message of exposed.values()) bridge.send(message)
  })

  const settleInvoke = ({ id, channel, ok, value }) => {
    const call = pending.get(id)
    pending.delete(id)
    if (ok) call?.resolve(codec.decode(value))
    else call?.reject(new Error(`Error invoking remote method '${channel}': ${value}`))
  }
  const receivePort = ({ id, data }) => ports.get(id)?.postMessage(codec.decode(data))
  const receiveClose = ({ id }) => {
    const port = ports.get(id)
    ports.delete(id)
    port?.close()
  }
  const receivers = {
    settle: settleInvoke,
    port: receivePort,
    portClosed: receiveClose,
    message: ({ channel, args, ports: ids }) =>
      emit(channel, { sender: ipcRenderer, senderId: 0, ports: ids.map(createPort) }, codec.decode(args)),
  }
  globalThis.__electronDoubleReceive = (text) => {
    const message = JSON.parse(text)
    receivers[message.kind](message)
  }

  const process = Object.freeze({
    ...options.process,
    contextIsolated: true,
    sandboxed: true,
    type: 'renderer',
    isMainFrame: true,
  })
  const electron = Object.freeze({ contextBridge, ipcRenderer })
  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer' || name === 'electron/common') return electron
    if (name === 'timers') return { setTimeout, setInterval, clearTimeout, clearInterval }
    if (name === 'url') return { URL, URLSearchParams }
    throw new Error(`module not found: ${name}`)
  }
  const module = { exports: {} }
  try {
    body(require, module, module.exports, process, globalThis)
  } catch (error) {
    console.error(`Unable to load preload script: ${options.path}\n${error?.stack ?? error}`)
    send({ kind: 'preloadError', path: options.path, message: String(error?.message ?? error) })
  }
}

/** The text of both scripts for one window. */
export function pageScripts({ secret, preload }) {
  const page = `(${pageWorld})(${JSON.stringify(secret)}, ${createBridge})`
  const options = {
    secret,
    binding: BINDING,
    path: preload.path,
    process: preload.process,
  }
  // The preload is part of the script's text: a page's CSP may forbid evaluating it from a string.
  const body = `function (require, module, exports, process, global) {\n${preload.source}\n}`
  const isolated = `(${preloadWorld})(${JSON.stringify(options)}, ${createBridge}, ${createCodec}, ${body})`
  return { page, isolated }
}
