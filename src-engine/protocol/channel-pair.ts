/** Two channels inside one process, each the other's far end. Messages arrive in a later microtask. */

import type { Channel } from './channel.ts'
import type { ChannelInbox } from './channel-inbox.ts'
import { createInbox } from './channel-inbox.ts'

/** A connected pair; closing either closes both. */
export function createChannelPair(): readonly [Channel, Channel] {
  const left = createInbox()
  const right = createInbox()
  return [end(left, right), end(right, left)]
}

function end(own: ChannelInbox, far: ChannelInbox): Channel {
  let closing = false
  const later = (act: () => void): void => {
    void Promise.resolve().then(act)
  }
  return {
    send: (text) => {
      if (!closing && !own.isEnded()) later(() => far.deliver(text))
    },
    onMessage: own.onMessage,
    onClose: own.onClose,
    close: () => {
      if (closing) return
      closing = true
      own.discard()
      later(far.end)
    },
  }
}
