/** What a join step is told beside its policy: how long it waits, and what it makes of what came. */

import type { JsonObject } from './json.ts'
import { timerAheadMsMax } from './limits.ts'
import type { Millis } from './time.ts'
import { day, hour, minute, second } from './time.ts'

const gatherings = ['auto', 'object', 'list', 'arrivals', 'deep', 'first'] as const

/** What it makes of what several branches brought. */
export type Gathering = (typeof gatherings)[number]

/** What is so of a step that joins branches without a word about it. */
export const plainJoin: JoinRules = { gather: 'auto', timeoutMs: null, onTimeout: 'fail', cancelsLate: false }

export interface JoinRules {
  readonly gather: Gathering
  /** From the first branch that comes; null for as long as it takes. */
  readonly timeoutMs: Millis | null
  readonly onTimeout: 'port' | 'fail'
  readonly cancelsLate: boolean
}

const unitMs: Readonly<Record<string, Millis>> = {
  milliseconds: 1,
  seconds: second,
  minutes: minute,
  hours: hour,
  days: day,
}

/** From the parameters of a join; what is wrong in them is as if it weren't there. */
export function joinRulesOf(parameters: JsonObject): JoinRules {
  const { gather, onTimeout, late } = parameters
  return {
    gather: gatherings.find((known) => known === gather) ?? 'auto',
    timeoutMs: joinTimeoutMsOf(parameters),
    onTimeout: onTimeout === 'port' ? 'port' : 'fail',
    cancelsLate: late === 'cancel',
  }
}

/** How long it waits, at most as far ahead as timers go; null for as long as it takes. */
function joinTimeoutMsOf(parameters: JsonObject): Millis | null {
  const told = toldTimeoutMs(parameters)
  return told === null ? null : Math.min(told, timerAheadMsMax)
}

/** The same as it was told. */
export function toldTimeoutMs({ onTimeout, amount = 1, unit = 'hours' }: JsonObject): Millis | null {
  if (onTimeout !== 'port' && onTimeout !== 'fail') return null
  const each = typeof unit === 'string' ? unitMs[unit] : undefined
  if (typeof amount !== 'number' || amount < 0 || each === undefined) return null
  return Math.ceil(amount * each)
}
