// utilityProcess: a forked Node process with Electron's parentPort (utility-shim.mjs gives it that).
import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import { app } from './app.mjs'
import { closeAllAt, closeFrom, sendFrom, transferPorts } from './ports.mjs'

const shim = new URL('./utility-shim.mjs', import.meta.url).href
const children = new Set()

function stdioOf(stdio) {
  if (Array.isArray(stdio)) return [...stdio.slice(0, 3), 'ipc']
  return ['ignore', stdio ?? 'inherit', stdio ?? 'inherit', 'ipc']
}

class UtilityProcess extends EventEmitter {
  #child
  #name
  #home
  pid = undefined
  stdout = null
  stderr = null

  constructor(modulePath, args, options) {
    super()
    this.#name = options.serviceName ?? 'Node Utility Process'
    this.#child = fork(modulePath, args, {
      execArgv: ['--import', shim, ...(options.execArgv ?? [])],
      env: { ...(options.env ?? process.env) },
      cwd: options.cwd,
      serialization: 'advanced',
      stdio: stdioOf(options.stdio),
    })
    this.#home = {
      receive: (id, data) => this.#send({ kind: 'port', id, data }),
      closed: (id) => this.#send({ kind: 'portClosed', id }),
    }
    this.stdout = this.#child.stdout
    this.stderr = this.#child.stderr
    children.add(this)
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid
      this.emit('spawn')
    })
    this.#child.on('message', (message) => this.#receive(message))
    this.#child.on('error', (error) =>
      process.stderr.write(`electron double: utility process: ${error.message}\n`),
    )
    this.#child.once('exit', (code, signal) => this.#ended(code, signal))
  }

  #send(message) {
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #receive(message) {
    if (message.kind === 'message') this.emit('message', message.data)
    else if (message.kind === 'port') sendFrom(message.id, message.data)
    else if (message.kind === 'portClosed') closeFrom(message.id)
  }

  #ended(code, signal) {
    children.delete(this)
    closeAllAt(this.#home)
    const exitCode = code ?? constants.signals[signal] ?? 1
    this.pid = undefined
    this.emit('exit', exitCode)
    if (exitCode === 0) return
    const reason = signal === null ? 'abnormal-exit' : signal === 'SIGTERM' ? 'killed' : 'crashed'
    app.emit(
      'child-process-gone',
      {},
      {
        type: 'Utility',
        reason,
        exitCode,
        serviceName: 'node.mojom.NodeService',
        name: this.#name,
      },
    )
  }

  postMessage(data, transfer = []) {
    const { ids, flush } = transferPorts(transfer, this.#home)
    this.#send({ kind: 'message', data, ports: ids })
    flush()
  }

  kill() {
    return this.#child.kill('SIGTERM')
  }

  /** Ends the child for good when the app exits. */
  destroy() {
    this.#child.kill('SIGKILL')
  }
}

export const utilityProcess = {
  fork: (modulePath, args = [], options = {}) => {
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready.')
    return new UtilityProcess(modulePath, args, options)
  },
}

app.atExit(() => {
  for (const child of children) child.destroy()
})
