/**
 * The clocks of a zone for the oracle: offsets in minutes, read from the names that Intl gives them
 * ("GMT+10:30"), hour by hour, and minute by minute where they change. Shares nothing with the engine's table.
 */

export interface ZoneYear {
  /** Minutes since 1970 at which an offset begins; the first one is before the year. */
  readonly begins: readonly number[]
  readonly offsets: readonly number[]
}

const stepMinutes = 6 * 60
const marginMinutes = 5 * 1440
const formats = new Map<string, Intl.DateTimeFormat>()
const years = new Map<string, ZoneYear>()

/** The offsets of a zone in a year and some days around it. */
export function zoneYear(zone: string, year: number): ZoneYear {
  const key = `${zone} ${year}`
  const known = years.get(key)
  if (known !== undefined) return known
  const begins: number[] = []
  const offsets: number[] = []
  const first = Date.UTC(year, 0) / 60_000 - marginMinutes
  const end = Date.UTC(year + 1, 0) / 60_000 + marginMinutes
  let latest = Number.NaN
  for (let minute = first; minute < end; minute += stepMinutes) {
    if (minutesAhead(zone, minute) === latest) continue
    let change = Math.max(first, minute - stepMinutes + 1)
    for (; change <= minute; change += 1) {
      const offset = minutesAhead(zone, change)
      if (offset === latest) continue
      begins.push(change)
      offsets.push(offset)
      latest = offset
    }
  }
  const made = { begins, offsets }
  years.set(key, made)
  return made
}

function minutesAhead(zone: string, minute: number): number {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(zone, format)
  }
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(minute * 60_000)) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
