/** The receiving half that all channel adapters share: keeps what comes early, closes once. */

import type { Channel } from './channel.ts'

export interface ChannelInbox extends Pick<Channel, 'onMessage' | 'onClose'> {
  readonly deliver: (text: string) => void
  /** The far side or the line itself is gone: what came before is still delivered, nothing afterwards. */
  readonly end: () => void
  /** This side closed: what nobody has read is dropped. */
  readonly discard: () => void
  readonly isEnded: () => boolean
}

/** An empty inbox of an open line. */
export function createInbox(): ChannelInbox {
  let receive: ((text: string) => void) | null = null
  let early: string[] = []
  let ended = false
  let told = false
  const closers: (() => void)[] = []
  const tell = (): void => {
    // The end is told after the last message, so it waits while messages wait for a receiver.
    if (!ended || early.length > 0) return
    told = true
    for (const closed of closers.splice(0)) closed()
  }
  const end = (): void => {
    if (ended) return
    ended = true
    tell()
  }
  return {
    deliver: (text) => {
      if (ended) return
      if (receive === null) early.push(text)
      else receive(text)
    },
    end,
    discard: () => {
      early = []
      end()
      tell()
    },
    isEnded: () => ended,
    onMessage: (next) => {
      receive = next
      const waiting = early
      early = []
      for (const text of waiting) next(text)
      tell()
    },
    onClose: (closed) => {
      if (told) closed()
      else {
        closers.push(closed)
        tell()
      }
    },
  }
}
