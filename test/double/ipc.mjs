// ipcMain, and what a page's isolated world says to the main process.
import { EventEmitter } from 'node:events'
import { codec } from './codec.mjs'
import { portFrom } from './ports.mjs'

const handlers = new Map()

class IpcMain extends EventEmitter {
  handle(channel, handler) {
    if (handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`)
    }
    handlers.set(channel, { handler, isOnce: false })
  }

  handleOnce(channel, handler) {
    this.handle(channel, handler)
    handlers.get(channel).isOnce = true
  }

  removeHandler(channel) {
    handlers.delete(channel)
  }
}

export const ipcMain = new IpcMain()

/** Runs the handler of one `invoke`; returns the values of the reply frame. */
export async function runHandler(event, channel, args) {
  const entry = handlers.get(channel)
  if (entry === undefined) return { ok: false, value: `Error: No handler registered for '${channel}'` }
  if (entry.isOnce) handlers.delete(channel)
  try {
    return { ok: true, value: codec.encode(await entry.handler(event, ...args)) }
  } catch (error) {
    process.stderr.write(`Error occurred in handler for '${channel}': ${error?.stack ?? error}\n`)
    return { ok: false, value: String(error) }
  }
}

/** Hands a page's `send` or `postMessage` to the listeners of ipcMain and of its webContents. */
export function deliverSend(contents, event, message) {
  const ports = message.ports.map((remote) => {
    const { port, remoteId } = portFrom(contents.portHome)
    contents.bindPagePort(remote, remoteId)
    return port
  })
  const args = codec.decode(message.args)
  const full = { ...event, ports }
  contents.ipc.emit(message.channel, full, ...args)
  ipcMain.emit(message.channel, full, ...args)
}

export { IpcMain }
