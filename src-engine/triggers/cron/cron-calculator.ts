/**
 * The slots of a schedule: the instants at which it is due, in its zone.
 *
 * Where clocks change, a slot with a fixed hour fires once: in a gap, at the gap's end (several that fall into
 * one gap are one); in an overlap, the first time. An hour with a wildcard or a step counts the instants that
 * exist: none within a gap, both in an overlap.
 */

import { SagasmithError } from '../../model/errors.ts'
import { readIntervalText } from '../../model/interval-text.ts'
import type { LeftOutDays } from '../../model/left-out-days.ts'
import { readLeftOutDays } from '../../model/left-out-days.ts'
import type { ClockChange } from '../../model/schedule-preview.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { readWallTime } from '../../model/wall-time.ts'
import type { CronFields } from './cron-fields.ts'
import { readCronFields } from './cron-fields.ts'
import { intervalFinder } from './interval-finder.ts'
import { jitterOf } from './jitter.ts'
import type { WallClock } from './wall-clock.ts'
import { wallClockOf, wallMax, wallMin } from './wall-clock.ts'
import type { ZoneTable } from './zone-table.ts'
import { instantOf, offsetMax, zoneTable } from './zone-table.ts'

export interface CronParameters {
  readonly expression: string
  /** UTC when absent. */
  readonly timeZone?: string
  /** A date, a time of the zone, or an instant: no slot before it. */
  readonly startAt?: string
  /** A date (which still counts), a time of the zone, or an instant: no slot after it. */
  readonly endAt?: string
  /** Days whose times don't count; `model/left-out-days.ts` says how they are written. */
  readonly except?: readonly string[]
  /** Each slot fires within this span after it. */
  readonly jitterMs?: Millis
  /** Whose spread it is: two schedules with one expression shall not fire at the same instants. */
  readonly key?: string
}

export interface CronCalculator {
  /** Null for one that counts time that passes. */
  readonly fields: CronFields | null
  /** The time between its slots, where that is fixed; else null. */
  readonly everyMs: Millis | null
  readonly timeZone: string
  /** The first slot after an instant; null when there is none any more. */
  readonly next: (after: Instant) => Instant | null
  /** The last slot before an instant; null when there is none. */
  readonly previous: (before: Instant) => Instant | null
  /** The slots after one instant up to and including another, oldest first, at most `limit` of them. */
  readonly between: (after: Instant, upTo: Instant, limit: number) => readonly Instant[]
  /** When a slot fires: itself, or later by its share of the spread, but always before the next slot. */
  readonly fireAt: (slot: Instant) => Instant
  /** What clocks do to a slot; null for an ordinary one. */
  readonly changeAt: (slot: Instant) => ClockChange | null
  /** Milliseconds by which the zone's clocks are ahead of UTC. */
  readonly offsetAt: (at: Instant) => Millis
}

/** All in seconds: how slots are found. */
interface Finder {
  readonly after: (second: number) => number | null
  readonly before: (second: number) => number | null
}

const daySeconds = 86_400

/** Makes the calculator of a schedule. Throws `bad_request` for what can't be read. */
export function createCronCalculator(parameters: CronParameters): CronCalculator {
  const { expression, timeZone = 'UTC', jitterMs = 0, key = '' } = parameters
  const zone = zoneTable(timeZone)
  const start = boundary(parameters.startAt, zone, 'startAt')
  const limits: Limits = {
    first: start ?? wallMin,
    last: boundary(parameters.endAt, zone, 'endAt') ?? wallMax - offsetMax,
  }
  const isLeftOut = leftOut(parameters.except ?? [])
  const everyMs = intervalOf(expression)
  const fields = everyMs === null ? readCronFields(expression) : null
  const wall = fields === null ? null : wallClockOf(fields, isLeftOut)
  // Where nobody says from when, intervals count from the same instant everywhere.
  const every = { every: (everyMs ?? 0) / 1000, anchor: start ?? 0, zone, isLeftOut, range: limits }
  const found =
    fields === null || wall === null
      ? intervalFinder(every)
      : fields.isHourOpen
        ? openFinder(wall, zone)
        : fixedFinder(wall, zone)
  const finder = withLimits(found, limits)
  const next = (after: Instant): Instant | null => toInstant(finder.after(Math.floor(after / 1000)))
  return {
    fields,
    everyMs,
    timeZone,
    next,
    previous: (before) => toInstant(finder.before(Math.ceil(before / 1000))),
    between: (after, upTo, limit) => {
      const slots: Instant[] = []
      if (limit <= 0) return slots
      for (let slot = next(after); slot !== null && slot <= upTo; slot = next(slot)) {
        slots.push(slot)
        if (slots.length >= limit) break
      }
      return slots
    },
    fireAt: (slot) => {
      if (jitterMs <= 0) return slot
      const following = next(slot)
      return slot + jitterOf(key, slot, Math.min(jitterMs, (following ?? Infinity) - slot))
    },
    changeAt: (slot) => (wall === null ? null : changeAt(slot / 1000, wall, zone)),
    offsetAt: (at) => zone.at(Math.floor(at / 1000)).offset * 1000,
  }
}

/** Null for an expression of fields. Throws `bad_request` for what is meant as an interval and is none. */
function intervalOf(expression: string): Millis | null {
  const read = readIntervalText(expression)
  if (read === null || 'everyMs' in read) return read?.everyMs ?? null
  throw new SagasmithError('bad_request', {
    message: `“${expression}” is no interval: ${read.message}.`,
    details: { expression },
  })
}

const toInstant = (second: number | null): Instant | null => (second === null ? null : second * 1000)

/** What is outside of the years that are looked at has no neighbors in them. */
const within = (second: number): number => Math.min(Math.max(second, wallMin - 1), wallMax + 1)

/** Every instant at which the zone's clocks show what is named. */
function openFinder(wall: WallClock, zone: ZoneTable): Finder {
  return {
    after: (second) => {
      for (let from = second + 1; from <= wallMax; ) {
        const stretch = zone.at(from)
        const shown = wall.atOrAfter(from + stretch.offset)
        if (shown === null) return null
        if (shown - stretch.offset < stretch.to) return shown - stretch.offset
        // Nothing is named up to `shown`, unless clocks go back at the end of the stretch.
        const isSetBack = zone.at(stretch.to).offset < stretch.offset
        from = isSetBack ? stretch.to : Math.max(stretch.to, shown - 2 * daySeconds)
      }
      return null
    },
    before: (second) => {
      for (let upTo = second - 1; upTo >= wallMin; ) {
        const stretch = zone.at(upTo)
        const shown = wall.atOrBefore(upTo + stretch.offset)
        if (shown === null) return null
        if (shown - stretch.offset >= stretch.from) return shown - stretch.offset
        const earlier = zone.at(stretch.from - 1)
        const isSetBack = earlier.offset > stretch.offset
        upTo = isSetBack ? stretch.from - 1 : Math.min(stretch.from - 1, shown + 2 * daySeconds)
      }
      return null
    },
  }
}

/** Each named time once: the first time that clocks show it, else the end of the gap that swallows it. */
function fixedFinder(wall: WallClock, zone: ZoneTable): Finder {
  return {
    after: (second) => {
      let shown = wall.atOrAfter(second + zone.at(second).offset + 1)
      while (shown !== null) {
        const found = instantOf(zone, shown)
        if (found > second) return found
        shown = wall.atOrAfter(shown + 1)
      }
      return null
    },
    before: (second) => {
      const stretch = zone.at(second - 1)
      // After clocks went back, they have shown later times than they do now.
      const highest = stretch.from - 1 + zone.at(stretch.from - 1).offset
      let shown = wall.atOrBefore(Math.max(second - 1 + stretch.offset, highest))
      while (shown !== null) {
        const found = instantOf(zone, shown)
        if (found < second) return found
        shown = wall.atOrBefore(shown - 1)
      }
      return null
    },
  }
}

interface Limits {
  readonly first: number
  readonly last: number
}

function withLimits(finder: Finder, { first, last }: Limits): Finder {
  return {
    after: (second) => {
      const slot = finder.after(Math.max(within(second), first - 1))
      return slot === null || slot > last ? null : slot
    },
    before: (second) => {
      const slot = finder.before(Math.min(within(second), last + 1))
      return slot === null || slot < first ? null : slot
    },
  }
}

function leftOut(entries: readonly string[]): LeftOutDays {
  const read = readLeftOutDays(entries)
  if (typeof read !== 'string') return read
  throw new SagasmithError('bad_request', {
    message: `“${read}” is no day that can be left out.`,
    hint: 'Use a date such as 2026-12-25, two with .. between them, 12-25 for each year, or SAT.',
    details: { entry: read },
  })
}

function changeAt(second: number, wall: WallClock, zone: ZoneTable): ClockChange | null {
  const stretch = zone.at(second)
  const shown = second + stretch.offset
  if (wall.atOrAfter(shown) !== shown) return 'gap'
  // Clocks are set back by a day at most.
  const later = zone.at(stretch.to)
  if (later.offset < stretch.offset && shown >= stretch.to + later.offset) return 'first'
  const earlier = zone.at(stretch.from - 1)
  return earlier.offset > stretch.offset && shown < stretch.from + earlier.offset ? 'second' : null
}

/**
 * An instant as a person writes it: a date or a time of a zone, or with a zone of its own. Null for what is
 * none of them.
 */
export function instantOfText(text: string, timeZone: string): Instant | null {
  return toInstant(readWallTime(text) === null ? null : boundary(text, zoneTable(timeZone), 'startAt'))
}

/** A limit as a second; null without one. The day of a date that ends a schedule still counts. */
function boundary(text: string | undefined, zone: ZoneTable, which: 'startAt' | 'endAt'): number | null {
  if (text === undefined || text.trim() === '') return null
  const read = readWallTime(text)
  if (read === null) {
    throw new SagasmithError('bad_request', {
      message: `“${text}” is no date and no time.`,
      hint: 'Use a date such as 2026-03-01, or with a time: 2026-03-01T09:00, 2026-03-01T09:00Z.',
      details: { [which]: text },
    })
  }
  if (read.kind === 'instant') {
    const second = read.at / 1000
    return within(which === 'startAt' ? Math.ceil(second) : Math.floor(second))
  }
  const shown = read.wallMs / 1000
  if (read.kind === 'date' && which === 'endAt') return instantOf(zone, within(shown + daySeconds)) - 1
  return instantOf(zone, within(shown))
}
