/**
 * The clocks of a time zone as a table: stretches of time with one distance from UTC. They come from Intl,
 * a year at a time, and are kept: asking Intl for every slot would cost a thousand times as much.
 */

import { SagasmithError } from '../../model/errors.ts'

/** From one second (inclusive) to another (exclusive), clocks show UTC plus the offset. All in seconds. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
}

export interface ZoneTable {
  /** The stretch of a second. A stretch also ends where a year ends, without a change of the offset. */
  readonly at: (second: number) => Stretch
}

/** Clocks change at least this far apart: two changes within it that cancel would not be seen. */
const probeSeconds = 24 * 3600
/** Seconds by which a clock differs from UTC at most, rounded up: the Line Islands are 14 hours ahead. */
export const offsetMax = 15 * 3600

const tables = new Map<string, ZoneTable>()

/** The table of a zone, such as Europe/Lisbon. Throws `bad_request` when nobody knows the zone. */
export function zoneTable(timeZone: string): ZoneTable {
  const known = tables.get(timeZone)
  if (known !== undefined) return known
  const offsetAt = offsetsOf(timeZone)
  const stretchesByYear = new Map<number, readonly Stretch[]>()
  let latest: Stretch = { from: 0, to: 0, offset: 0 }
  const table: ZoneTable = {
    at: (second) => {
      if (second >= latest.from && second < latest.to) return latest
      const year = new Date(second * 1000).getUTCFullYear()
      let stretches = stretchesByYear.get(year)
      if (stretches === undefined) {
        stretches = stretchesOf(year, offsetAt)
        stretchesByYear.set(year, stretches)
      }
      const found = stretches.find(({ to }) => second < to)
      if (found === undefined)
        throw new SagasmithError('internal', { message: `No clock of ${timeZone} at ${second}.` })
      latest = found
      return found
    },
  }
  tables.set(timeZone, table)
  return table
}

/** The second at which clocks show a time for the first time, or jump over it. */
export function instantOf(zone: ZoneTable, shown: number): number {
  let stretch = zone.at(shown - offsetMax)
  for (;;) {
    const second = shown - stretch.offset
    if (second < stretch.from) return stretch.from
    if (second < stretch.to) return second
    stretch = zone.at(stretch.to)
  }
}

/** The seconds at which clocks change, from one (inclusive) to another (exclusive). */
export function changesOf(zone: ZoneTable, from: number, to: number): readonly number[] {
  const changes: number[] = []
  for (let stretch = zone.at(from - 1); stretch.to < to; ) {
    const next = zone.at(stretch.to)
    if (next.offset !== stretch.offset) changes.push(next.from)
    stretch = next
  }
  return changes
}

function stretchesOf(year: number, offsetAt: (second: number) => number): readonly Stretch[] {
  const end = Date.UTC(year + 1, 0) / 1000
  const stretches: Stretch[] = []
  let from = Date.UTC(year, 0) / 1000
  let offset = offsetAt(from)
  for (let probe = from; probe < end; probe += probeSeconds) {
    const upTo = Math.min(probe + probeSeconds, end - 1)
    const next = offsetAt(upTo)
    if (next === offset) continue
    const change = changeBetween({ low: probe, high: upTo, offset: next }, offsetAt)
    stretches.push({ from, to: change, offset })
    from = change
    offset = next
  }
  stretches.push({ from, to: end, offset })
  return stretches
}

/** The first second with the new offset. */
function changeBetween(
  within: { readonly low: number; readonly high: number; readonly offset: number },
  offsetAt: (second: number) => number,
): number {
  let { low, high } = within
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === within.offset) high = middle
    else low = middle
  }
  return high
}

function offsetsOf(timeZone: string): (second: number) => number {
  const format = formatOf(timeZone)
  return (second) => {
    // 03/29/2026, 02:30:00
    const [month, day, year, hour, minute, seconds] = format
      .format(second * 1000)
      .split(/\D+/)
      .map(Number)
    return Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, seconds) / 1000 - second
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const [numeric, two] = ['numeric', '2-digit'] as const
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' },
      ...{ year: numeric, month: two, day: two, hour: two, minute: two, second: two },
    })
  } catch {
    throw new SagasmithError('bad_request', {
      message: `There is no time zone “${timeZone}”.`,
      hint: 'Use a name such as Europe/Lisbon or America/New_York; UTC is always there.',
      details: { timeZone },
    })
  }
}
