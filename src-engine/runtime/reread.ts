/** Something of the store that a process keeps at hand, read again when it may have changed: at most once a second. */

import { recordOfThrown } from '../model/errors.ts'
import type { Clock, Logger } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import { second } from '../model/time.ts'

/** Reading more often than this tells nothing that matters. */
const pauseMs: Millis = second

export interface Reread {
  /** It may have changed: it is read now, or once the last reading is a second ago. */
  readonly note: () => void
  /** Reads it now; when that fails, what was known goes on to count. */
  readonly now: () => Promise<void>
  /** Plans no more. */
  readonly stop: () => void
}

/** `unread` is what the log says when it can't be read. */
export function createReread(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  { read, unread }: { readonly read: () => Promise<void>; readonly unread: string },
): Reread {
  let readAt: Millis = Number.NEGATIVE_INFINITY
  let planned: (() => void) | null = null
  const now = async (): Promise<void> => {
    readAt = clock.monotonic()
    try {
      await read()
    } catch (thrown) {
      log.warn(unread, { error: recordOfThrown(thrown).message })
    }
  }
  return {
    now,
    note: () => {
      if (planned !== null) return
      const rest = readAt + pauseMs - clock.monotonic()
      if (rest <= 0) void now()
      else {
        planned = clock.after(rest, () => {
          planned = null
          void now()
        })
      }
    },
    stop: () => {
      planned?.()
      planned = null
    },
  }
}
