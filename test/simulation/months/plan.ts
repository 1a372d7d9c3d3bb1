/** What a seed decides about a month: what is scheduled, what is told from outside, and what goes wrong. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Instant, Millis } from '../../../src-engine/model/time.ts'
import { day, hour, minute } from '../../../src-engine/model/time.ts'
import type { RandomSource } from '../../support/random-source.ts'
import { createRandomSource } from '../../support/random-source.ts'

/** A schedule as its workflow has it from one publication to the next; its title tells which one that was. */
export interface ScheduleText {
  readonly title: string
  readonly parameters: ScheduleParameters
}

export interface ScheduleParameters {
  readonly expression: string
  readonly timeZone: string
  readonly overlap: 'allow' | 'queue' | 'skip' | 'cancel-running'
  readonly catchUp: 'skip' | 'once' | 'all'
  readonly catchUpMax: number
  readonly catchUpWindowMs: Millis
  readonly jitterMs: Millis
  readonly except: readonly string[]
}

/** Null for a schedule that the document doesn't have then. */
export type Publication = Readonly<Record<string, ScheduleText | null>>

export interface ListenerText {
  readonly name: string
  /** Fields that the payload must have; null for every payload. */
  readonly filter: JsonObject | null
  readonly gathers: JsonObject
}

export interface Told {
  readonly at: Instant
  readonly number: number
  readonly name: string
  readonly kind: string
  /** When its sender sends it once more although it was answered; null for never. */
  readonly againAt: Instant | null
}

export interface FileChangeTold {
  readonly at: Instant
  readonly path: string
  /** Null for one that goes. */
  readonly stamp: string | null
}

const faultChances = {
  crashes: 0.7,
  deadlyCommits: 0.5,
  nobodyThere: 0.3,
  naps: 0.5,
  longSleeps: 0.6,
  sleepyCommits: 0.4,
  wrongClocks: 0.4,
  clocksSetTogether: 0.3,
  failures: 0.3,
  lostAnswers: 0.3,
  slowStore: 0.2,
  switches: 0.2,
} as const

export type MonthFault = keyof typeof faultChances

export interface MonthPlan {
  readonly seed: string
  readonly begin: Instant
  readonly end: Instant
  readonly runners: number
  /** The first at the beginning, the others some time later. */
  readonly publications: readonly { readonly at: Instant; readonly schedules: Publication }[]
  readonly listeners: Readonly<Record<string, ListenerText>>
  readonly events: readonly Told[]
  readonly calls: readonly Told[]
  readonly files: readonly FileChangeTold[]
  /** The workflow whose runs another one follows. */
  readonly watched: 'scheduled' | 'listening'
  /** Each seed has a choice of its own: all together they would hide one another. */
  readonly faults: Readonly<Record<MonthFault, boolean>>
  /** Whether a dead process is known to be dead, or only its silence tells. */
  readonly sameHost: boolean
}

/** Months in which the clocks of many zones change, and others. */
const beginnings = [
  '2026-03-01T00:00:30Z',
  '2026-03-15T12:00:30Z',
  '2026-04-01T00:00:30Z',
  '2026-06-10T07:07:07Z',
  '2026-10-01T00:00:30Z',
  '2026-10-15T21:15:00Z',
  '2028-02-10T00:00:30Z',
  '2030-03-05T00:00:30Z',
]
const zones = [
  'UTC',
  'Europe/Lisbon',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Pacific/Chatham',
]
const expressions = [
  '0 */2 * * *',
  '0 * * * *',
  '30 1 * * *',
  '30 2 * * *',
  '15,45 1-3 * * *',
  '0 0 * * *',
  '15 9 * * MON-FRI',
  '0 0 1,15 * *',
  '0 12 L * *',
  '0 8 * * FRI#2',
  '5 */6 * * *',
  '30 */4 * * *',
  '20 10 */3 * *',
  '30 15 3 10 * *',
]

/** The plan of a seed; a shorter one where there is little time. */
export function monthPlan(
  seed: string,
  { days = 30, runnersMax = 20 }: { readonly days?: number; readonly runnersMax?: number } = {},
): MonthPlan {
  const random = createRandomSource(`plan of ${seed}`)
  const begin = Date.parse(random.pick(beginnings))
  const end = begin + days * day
  const many = random.chance(0.12) ? 5 + random.below(16) : 1 + random.below(4)
  const span = { begin: begin + hour, end: end - hour }
  const chosen = Object.entries(faultChances).map(([name, chance]) => [name, random.chance(chance)] as const)
  const isTold = random.chance(0.6)
  const told = (kinds: readonly string[]): readonly Told[] => (isTold ? randomTold(random, span, kinds) : [])
  return {
    seed,
    begin,
    end,
    runners: Math.min(runnersMax, many),
    publications: randomPublications(random, { begin, end }),
    listeners: randomListeners(random),
    events: told(['order.paid', 'order.sent', 'visit']),
    calls: random.chance(0.6) ? told(['call']) : [],
    files: random.chance(0.5) && isTold ? randomFiles(random, span) : [],
    faults: Object.fromEntries(chosen) as MonthPlan['faults'],
    sameHost: random.chance(0.5),
    watched: random.chance(0.4) ? 'scheduled' : 'listening',
  }
}

interface Span {
  readonly begin: Instant
  readonly end: Instant
}

const within = (random: RandomSource, { begin, end }: Span): Instant => begin + random.below(end - begin)

function randomPublications(random: RandomSource, span: Span): MonthPlan['publications'] {
  const names = Array.from({ length: 1 + random.below(4) }, (_, index) => `s${index}`)
  let version = 0
  const fresh = (): ScheduleText => ({ title: `v${(version += 1)}`, parameters: randomSchedule(random) })
  const first: Publication = Object.fromEntries(names.map((name) => [name, fresh()]))
  const later = Array.from({ length: random.chance(0.4) ? 1 + random.below(3) : 0 }, () =>
    within(random, span),
  )
  const publications = [{ at: span.begin, schedules: first }]
  for (const at of later.toSorted((a, b) => a - b)) {
    const before = publications.at(-1)?.schedules ?? first
    const schedules = Object.fromEntries(
      names.map((name) => {
        const drawn = random.next()
        const same = before[name] ?? null
        return [name, drawn < 0.5 ? same : drawn < 0.6 ? null : fresh()]
      }),
    )
    publications.push({ at, schedules })
  }
  return publications
}

function randomSchedule(random: RandomSource): ScheduleParameters {
  return {
    expression: random.pick(expressions),
    timeZone: random.pick(zones),
    overlap: random.pick(['allow', 'skip', 'queue', 'cancel-running'] as const),
    catchUp: random.pick(['skip', 'once', 'all'] as const),
    catchUpMax: 1 + random.below(20),
    catchUpWindowMs: random.pick([hour, day / 2, day, 10 * day]),
    jitterMs: random.pick([0, 0, 10 * minute, hour]),
    except: random.chance(0.2) ? [random.pick(['SAT', 'SUN', 'WED'])] : [],
  }
}

function randomListeners(random: RandomSource): MonthPlan['listeners'] {
  return {
    all: { name: '*', filter: null, gathers: {} },
    orders: { name: 'order.*', filter: random.chance(0.5) ? { kind: 'order.paid' } : null, gathers: {} },
    gathered: {
      name: random.pick(['order.*', 'visit']),
      filter: null,
      gathers: random.pick([
        { debounceMs: 2 * hour },
        { batchMax: 3, batchMs: 12 * hour },
        { debounceMs: hour, batchMax: 5, batchMs: day },
      ]),
    },
  }
}

function randomTold(random: RandomSource, span: Span, kinds: readonly string[]): readonly Told[] {
  return Array.from({ length: 10 + random.below(40) }, (_, number): Told => {
    const at = within(random, { begin: span.begin + 11 * hour, end: span.end })
    const name = random.pick(kinds)
    const again = random.chance(0.2) ? at + random.below(5 * day) : null
    return { at, number, name, kind: name, againAt: again }
  })
}

function randomFiles(random: RandomSource, span: Span): readonly FileChangeTold[] {
  const instants = Array.from({ length: 10 + random.below(40) }, () =>
    within(random, { begin: span.begin + 11 * hour, end: span.end }),
  )
  return instants
    .toSorted((a, b) => a - b)
    .map((at) => {
      const path = `f${random.below(6)}.csv`
      return { at, path, stamp: random.chance(0.2) ? null : `${1 + random.below(900)}:${at}` }
    })
}
