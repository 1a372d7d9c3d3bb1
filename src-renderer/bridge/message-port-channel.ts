/** The desktop's line to the engine: a MessagePort that the app hands over on request. */

import { errorOfRecord } from '../../src-engine/model/errors.ts'
import type { Channel } from '../../src-engine/protocol/channel.ts'
import { createInbox } from '../../src-engine/protocol/channel-inbox.ts'
import type { DesktopApi, EnginePortMessage } from '../../src-engine/protocol/desktop-api.ts'

/** Asks the desktop app for a port; rejects with its reason when the engine is down. */
export async function openDesktopChannel(desktop: DesktopApi, page: Window): Promise<Channel> {
  const requestId = crypto.randomUUID()
  const { promise, resolve } = Promise.withResolvers<MessagePort>()
  const receive = (event: MessageEvent): void => {
    const port = event.ports[0]
    if (event.source === page && port !== undefined && isPortMessage(event.data, requestId)) resolve(port)
  }
  page.addEventListener('message', receive)
  try {
    const answer = await desktop.openEnginePort(requestId)
    if (!answer.ok) throw errorOfRecord(answer.error)
    return portChannel(await promise)
  } finally {
    page.removeEventListener('message', receive)
  }
}

/** A channel on a port; the port starts once somebody listens. */
function portChannel(port: MessagePort): Channel {
  const inbox = createInbox()
  port.addEventListener('message', (event: MessageEvent) => inbox.deliver(String(event.data)))
  port.addEventListener('close', () => inbox.end())
  port.start()
  return {
    send: (text) => port.postMessage(text),
    onMessage: inbox.onMessage,
    onClose: inbox.onClose,
    close: () => {
      port.close()
      inbox.discard()
    },
  }
}

function isPortMessage(data: unknown, requestId: string): data is EnginePortMessage {
  if (typeof data !== 'object' || data === null) return false
  const message = data as Partial<EnginePortMessage>
  return message.kind === 'sagasmith.engine-port' && message.requestId === requestId
}
