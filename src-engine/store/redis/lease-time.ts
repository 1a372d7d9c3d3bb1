/**
 * Leases are judged by the server's clock alone: a runner whose clock is wrong, or jumps, takes nothing away from
 * anybody. Callers speak of their own time; what is stored is the server's.
 */

import type { Instant, Millis } from '../../model/time.ts'
import type { RedisClock } from './redis-options.ts'

export interface LeaseTime {
  /** The caller's now as a script takes it, to know how far apart the clocks are; empty for no difference. */
  readonly now: () => Instant | ''
  /** The server's clock ahead of the caller's, from what the server told just now. */
  readonly ahead: (time: readonly (string | null)[]) => Millis
  /** Whether there is anything to ask the server for. */
  readonly isServers: boolean
}

/** How far a script's clock, its `micros`, is ahead of what `LeaseTime.now` told it; `told` is a Lua expression. */
export const luaAhead = (told: string): string =>
  `${told} == '' and 0 or math.floor(micros / 1000) - tonumber(${told})`

/** Leases by the server's clock. */
export const serverTime = (clock: RedisClock): LeaseTime => ({
  isServers: true,
  now: () => clock.now(),
  ahead: ([seconds, micros]) => Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000) - clock.now(),
})

/** Leases by what callers say: where time is made up, as in tests. */
export const callersTime: LeaseTime = { isServers: false, now: () => '', ahead: () => 0 }
