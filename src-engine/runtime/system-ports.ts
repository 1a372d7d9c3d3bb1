/** The real world behind the ports: the only place of the engine that reads clocks and randomness. */

import { randomBytes } from 'node:crypto'
import { uptime } from 'node:os'
import type { Clock, Ids, Random } from '../model/ports.ts'

/** Spans longer than this overflow the system's timer and would fire at once. */
const timerMsMax = 2_147_483_647

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1_000,
  after: (span, call) => {
    const timer = setTimeout(call, Math.min(Math.max(0, span), timerMsMax))
    timer.unref()
    return () => clearTimeout(timer)
  },
  turn: (call) => void setImmediate(call),
}

export const systemRandom: Random = { next: () => Math.random() }

const crockford = '0123456789abcdefghjkmnpqrstvwxyz'

/** Random bytes for this many ids are fetched at a time: a call costs more than the bytes. */
const idsPerFetch = 64
const randomLength = 16

/** Ids that sort by time of making: 10 characters of milliseconds, 16 of randomness. */
export function createSystemIds(clock: Clock): Ids {
  let pool = new Uint8Array(0)
  let used = 0
  const nextBytes = (): Uint8Array => {
    if (used === pool.length) {
      pool = randomBytes(idsPerFetch * randomLength)
      used = 0
    }
    used += randomLength
    return pool.subarray(used - randomLength, used)
  }
  return {
    next: () => {
      let time = clock.now()
      let head = ''
      for (let place = 0; place < 10; place += 1) {
        head = crockford.charAt(time % 32) + head
        time = Math.floor(time / 32)
      }
      let tail = ''
      for (const byte of nextBytes()) tail += crockford.charAt(byte & 31)
      return head + tail
    },
  }
}

/** Resolves once everything that is ready to happen now has happened. */
export const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Keeps the process alive until the returned function is called. The clock's own timers don't: a program
 * that embeds the engine ends when its own work does.
 */
export function holdProcess(): () => void {
  const timer = setInterval(() => {}, timerMsMax)
  return () => clearInterval(timer)
}
