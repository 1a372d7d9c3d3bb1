/** What clocks on the wall of a time zone show, and when they show it. Pure. */

import type { Instant, Millis } from '../../model/time.ts'
import { day } from '../../model/time.ts'

export interface ZoneClock {
  /** What the clock shows, as if it were UTC's. */
  readonly wallAt: (at: Instant) => Millis
  /** The first instant at which the clock shows that; where it skips it, as long after the gap as it was into it. */
  readonly instantOf: (wallMs: Millis) => Instant
}

/** The clock of a zone such as Europe/Amsterdam. */
export function zoneClock(zone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const wallAt = (at: Instant): Millis => {
    const part = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const of = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0
    const second = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
    return second + (((at % 1000) + 1000) % 1000)
  }
  return {
    wallAt,
    instantOf: (wallMs) => {
      // A day before and after, so that a change of the clock lies between the two.
      const ahead = [wallMs - day, wallMs + day].map((near) => wallAt(near) - near)
      const [before = 0, after = before] = ahead
      const shown = [wallMs - before, wallMs - after].filter((at) => wallAt(at) === wallMs)
      return shown.length > 0 ? Math.min(...shown) : wallMs - before
    },
  }
}
