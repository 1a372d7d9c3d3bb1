/** What becomes of a month's starts with so many workers: who waits, who is skipped, how many want to run. */

import type { Instant, Millis } from '../../model/time.ts'
import type { Fires, ReadSchedule } from './month-fires.ts'

/** The load of one day. */
export interface DayLoad {
  skipped: number
  waits: number
  longestWaitMs: Millis
  peak: { at: Instant; count: number; ids: readonly string[] } | null
}

interface Slotted {
  /** When the last run of a schedule ends, and on which worker it is. */
  readonly endsAt: Float64Array
  readonly worker: Int32Array
  /** From when on a worker is free. */
  readonly freeAt: Float64Array
}

/** Plays the starts in order, on `workers` workers that take the first one in line. */
export function playLoad(
  schedules: readonly ReadSchedule[],
  fires: Fires,
  days: { readonly workers: number; readonly dayOf: (at: Instant) => number; readonly count: number },
): readonly DayLoad[] {
  const loads = Array.from({ length: days.count }, (): DayLoad => {
    return { skipped: 0, waits: 0, longestWaitMs: 0, peak: null }
  })
  const slotted: Slotted = {
    endsAt: new Float64Array(schedules.length),
    worker: new Int32Array(schedules.length),
    freeAt: new Float64Array(Math.max(1, days.workers)),
  }
  const wishes = createWishes(schedules)
  for (let index = 0; index < fires.count; index += 1) {
    const [at, place] = [fires.at(index), fires.schedule(index)]
    const schedule = schedules[place]
    const load = loads[days.dayOf(at)]
    if (schedule === undefined) continue
    const waitMs = start(slotted, { at, place, schedule })
    if (waitMs !== null) wishes.add(place, at)
    if (load === undefined) continue
    if (waitMs === null) load.skipped += 1
    else if (waitMs > 0) {
      load.waits += 1
      load.longestWaitMs = Math.max(load.longestWaitMs, waitMs)
    }
    const count = wishes.count(at)
    if (count > (load.peak?.count ?? 0)) load.peak = { at, count, ids: wishes.ids(at) }
  }
  return loads
}

/** Puts a run on a worker; how long it waits, or null when it is skipped. */
function start(
  { endsAt, worker, freeAt }: Slotted,
  fire: { readonly at: Instant; readonly place: number; readonly schedule: ReadSchedule },
): Millis | null {
  const { at, place, schedule } = fire
  const { overlap = 'skip' } = schedule.parameters
  const before = endsAt[place] ?? 0
  if (before > at && overlap === 'skip') return null
  if (before > at && overlap === 'cancel-running') freeAt[worker[place] ?? 0] = at
  let free = 0
  for (let one = 1; one < freeAt.length; one += 1) if ((freeAt[one] ?? 0) < (freeAt[free] ?? 0)) free = one
  const mustWaitFor = overlap === 'queue' ? before : 0
  const startsAt = Math.max(at, freeAt[free] ?? 0, mustWaitFor)
  const ends = startsAt + (schedule.durationMs ?? 0)
  freeAt[free] = ends
  worker[place] = free
  endsAt[place] = ends
  return startsAt - at
}

/** How many runs would go on at an instant if there were always a free worker. */
function createWishes(schedules: readonly ReadSchedule[]): {
  readonly add: (place: number, at: Instant) => void
  readonly count: (at: Instant) => number
  readonly ids: (at: Instant) => readonly string[]
} {
  // Per schedule the ends of its runs, which come in order, for all of them take equally long.
  const ends = schedules.map((): number[] => [])
  const first = new Int32Array(schedules.length)
  const going = (place: number, at: Instant): number => {
    const list = ends[place] ?? []
    let from = first[place] ?? 0
    while (from < list.length && (list[from] ?? 0) <= at) from += 1
    first[place] = from
    return list.length - from
  }
  const live = new Set<number>()
  return {
    add: (place, at) => {
      const schedule = schedules[place]
      if (schedule === undefined) return
      // One that cancels the run before it leaves a single one.
      if (schedule.parameters.overlap === 'cancel-running') first[place] = ends[place]?.length ?? 0
      // What takes no time to speak of still runs at its instant.
      ends[place]?.push(at + Math.max(1, schedule.durationMs ?? 0))
      live.add(place)
    },
    count: (at) => {
      let count = 0
      for (const place of live) {
        const here = going(place, at)
        if (here === 0) live.delete(place)
        count += here
      }
      return count
    },
    ids: (at) => [...live].filter((place) => going(place, at) > 0).map((place) => schedules[place]?.id ?? ''),
  }
}
