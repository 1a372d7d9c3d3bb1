/** The browser's line to the engine: a WebSocket of the page's own origin. */

import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { Channel } from '../../src-engine/protocol/channel.ts'
import { createInbox } from '../../src-engine/protocol/channel-inbox.ts'

/** Where the engine listens, beside the page itself. */
const enginePath = '/engine'

/** The address of the engine's socket for a page: `ws:` for `http:`, `wss:` for `https:`. */
export function engineAddress(page: { readonly protocol: string; readonly host: string }): string {
  return `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}${enginePath}`
}

/** Resolves once the socket is open; rejects with `engine_stopped` when nobody answers. */
export function openWebSocketChannel(address: string): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address)
    const inbox = createInbox()
    socket.onmessage = (event) => inbox.deliver(String(event.data))
    socket.onclose = () => {
      inbox.end()
      reject(new SagasmithError('engine_stopped', { message: 'The engine does not answer.' }))
    }
    socket.onopen = () =>
      resolve({
        send: (text) => socket.send(text),
        onMessage: inbox.onMessage,
        onClose: inbox.onClose,
        close: () => {
          socket.close()
          inbox.discard()
        },
      })
  })
}
