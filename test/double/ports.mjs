// MessageChannelMain: a table of channel ends. An end lives in this process, in a page or in a
// utility process, and may move; whoever sends looks up where the peer lives at that moment.
import { EventEmitter } from 'node:events'

const ends = new Map()
let nextEnd = 1

/** Registers a connected pair of ends; each `home` has `receive(id, data)` and `closed(id)`. */
function createPair(homeA, homeB) {
  const a = { id: `e${nextEnd++}`, home: homeA, peer: '' }
  const b = { id: `e${nextEnd++}`, home: homeB, peer: a.id }
  a.peer = b.id
  ends.set(a.id, a)
  ends.set(b.id, b)
  return [a.id, b.id]
}

/** Sends from one end to its peer; a closed channel swallows the message, as in Electron. */
export function sendFrom(id, data) {
  const peer = ends.get(ends.get(id)?.peer)
  peer?.home.receive(peer.id, data)
}

/** Closes a channel from one end; the other end hears it. */
export function closeFrom(id) {
  const end = ends.get(id)
  if (end === undefined) return
  const peer = ends.get(end.peer)
  ends.delete(end.id)
  ends.delete(end.peer)
  peer?.home.closed(peer.id)
}

/** Moves an end to another home (a transfer). */
function moveTo(id, home) {
  const end = ends.get(id)
  if (end !== undefined) end.home = home
}

/** Closes every end that lives at a home which is going away (a page left, a process died). */
export function closeAllAt(home) {
  for (const end of [...ends.values()]) if (end.home === home) closeFrom(end.id)
}

/** Electron's MessagePortMain: messages wait until `start()`. */
export class MessagePortMain extends EventEmitter {
  #id = null
  #waiting = []
  #isStarted = false
  #isClosed = false

  /** The end's home while it lives in this process. */
  receive(_id, data) {
    if (this.#isStarted) setImmediate(() => this.emit('message', { data, ports: [] }))
    else this.#waiting.push(data)
  }

  closed() {
    this.#isClosed = true
    setImmediate(() => this.emit('close'))
  }

  /** Binds this object to an end of the table; called once by whoever makes the port. */
  attach(id) {
    this.#id = id
    return this
  }

  /** Takes the end out of this object for a transfer, with the messages not read yet. */
  detach() {
    if (this.#id === null) throw new Error('Port at index 0 is already neutered.')
    const taken = { id: this.#id, waiting: this.#waiting }
    this.#id = null
    this.#waiting = []
    return taken
  }

  postMessage(data, transfer = []) {
    if (transfer.length > 0) throw new Error('electron double: ports in port messages are not imitated')
    if (this.#id !== null && !this.#isClosed) sendFrom(this.#id, structuredClone(data))
  }

  start() {
    if (this.#isStarted) return
    this.#isStarted = true
    for (const data of this.#waiting.splice(0)) this.receive(this.#id, data)
  }

  close() {
    if (this.#id !== null) closeFrom(this.#id)
    this.#id = null
  }
}

/** Electron's MessageChannelMain: two connected ports of this process. */
export class MessageChannelMain {
  constructor() {
    this.port1 = new MessagePortMain()
    this.port2 = new MessagePortMain()
    const [a, b] = createPair(this.port1, this.port2)
    this.port1.attach(a)
    this.port2.attach(b)
  }
}

/** Moves ports to another home; unread messages follow. Returns the ends' ids. */
export function transferPorts(ports, home) {
  const taken = ports.map((port) => port.detach())
  for (const { id } of taken) moveTo(id, home)
  const flush = () => {
    for (const { id, waiting } of taken) for (const data of waiting) home.receive(id, data)
  }
  return { ids: taken.map(({ id }) => id), flush }
}

/** A port of this process for one new channel whose other end lives elsewhere. */
export function portFrom(home) {
  const port = new MessagePortMain()
  const [here, there] = createPair(port, home)
  return { port: port.attach(here), remoteId: there }
}
