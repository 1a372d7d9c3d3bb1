// Runs first in a utility process of the stand-in: provides `process.parentPort` and hides the
// channel that carries it. Node runs it in the process's worker threads too, which have no channel.
import { EventEmitter } from 'node:events'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'electron')
      throw new Error('electron double: a utility process may not import electron')
    return next(specifier, context)
  },
})
Object.defineProperty(process.versions, 'electron', { value: '45.4.1', enumerable: true })
Object.defineProperty(process, 'type', { value: 'utility', enumerable: true })

let toParent = null
const post = (message) => toParent?.(message, () => undefined)
const ports = new Map()

/** A port handed to this process; starts delivering on `start()`. */
class MessagePortMain extends EventEmitter {
  #id
  #waiting = []
  #isStarted = false

  constructor(id) {
    super()
    this.#id = id
    ports.set(id, this)
  }

  receive(data) {
    if (this.#isStarted) this.emit('message', { data, ports: [] })
    else this.#waiting.push(data)
  }

  start() {
    if (this.#isStarted) return
    this.#isStarted = true
    for (const data of this.#waiting.splice(0)) this.receive(data)
  }

  postMessage(data) {
    if (ports.has(this.#id)) post({ kind: 'port', id: this.#id, data })
  }

  close() {
    if (ports.delete(this.#id)) post({ kind: 'portClosed', id: this.#id })
  }
}

/** `process.parentPort`: starts with its first message listener, as Electron's does. */
class ParentPort extends EventEmitter {
  #waiting = []
  #isStarted = false

  receive({ data, ports: ids }) {
    const event = { data, ports: ids.map((id) => new MessagePortMain(id)) }
    if (this.#isStarted) this.emit('message', event)
    else this.#waiting.push(event)
  }

  start() {
    if (this.#isStarted) return
    this.#isStarted = true
    for (const event of this.#waiting.splice(0)) this.emit('message', event)
  }

  postMessage(data) {
    post({ kind: 'message', data })
  }
}

/** Takes over the channel to the main process. */
function connect() {
  toParent = process.send.bind(process)
  process.send = undefined
  // Processes that this one forks must not inherit the shim.
  process.execArgv = []
  const parentPort = new ParentPort()
  parentPort.on('newListener', (name) => {
    if (name === 'message') process.nextTick(() => parentPort.start())
  })
  Object.defineProperty(process, 'parentPort', { value: parentPort, enumerable: true })

  process.on('message', (message) => {
    if (message.kind === 'message') parentPort.receive(message)
    else if (message.kind === 'port') ports.get(message.id)?.receive(message.data)
    else if (message.kind === 'portClosed') {
      const port = ports.get(message.id)
      ports.delete(message.id)
      port?.emit('close')
    }
  })
  process.on('disconnect', () => process.exit(0))
}

if (isMainThread) connect()
