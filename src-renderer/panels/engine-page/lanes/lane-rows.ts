/** Which lanes there are, what lies in them, and who took over from whom. Pure. */

import type { RunnerId } from '../../../../src-engine/model/ids.ts'
import type { RunnerRecord } from '../../../../src-engine/model/runner.ts'
import type { Instant } from '../../../../src-engine/model/time.ts'
import type { RunnerAttempt } from '../../../../src-engine/protocol/history.ts'
import { sortedRunners } from '../runner-rows.ts'

export interface LaneSpan {
  readonly from: Instant
  readonly to: Instant
}

/** One try, or several that can't be told apart at this size. */
export interface LaneBar {
  readonly key: string
  readonly from: Instant
  /** Null while it lasts. */
  readonly to: Instant | null
  /** At least one; the one that a single bar is, or the worst of many. */
  readonly attempt: RunnerAttempt
  /** How many tries it stands for. */
  readonly count: number
  /** The try on another runner that was lost before; null for none. */
  readonly tookOver: RunnerAttempt | null
}

export interface Lane {
  readonly runnerId: RunnerId
  /** From 0 on, by runner: as many as it had at work at the same time. */
  readonly lane: number
  readonly bars: readonly LaneBar[]
}

export interface RunnerLanes {
  readonly runnerId: RunnerId
  /** Null for one that isn't listed (any more). */
  readonly runner: RunnerRecord | null
  readonly lanes: readonly Lane[]
}

/** A runner that has slots beyond these shows the others in the last lane. */
const lanesMax = 16
/** Bars closer and narrower than this share of what is shown are one. */
const mergedShare = 0.003

/** What is drawn: runners at work first, then those that did something in the time that is shown. */
export function lanesOf(
  runners: readonly RunnerRecord[],
  attempts: readonly RunnerAttempt[],
  shown: { readonly span: LaneSpan; readonly now: Instant },
): readonly RunnerLanes[] {
  const { span, now } = shown
  const inSight = attempts.filter(
    ({ startedAt, endedAt }) => startedAt <= span.to && (endedAt ?? now) >= span.from,
  )
  const lost = lostTries(attempts)
  const byRunner = Map.groupBy(inSight, ({ runnerId }) => runnerId)
  const known = sortedRunners(runners, now)
  const listed = known.filter(({ id, stoppedAt }) => stoppedAt === null || byRunner.has(id))
  const others = [...byRunner.keys()].filter((id) => !known.some((runner) => runner.id === id))
  const rows = [
    ...listed.map((runner) => ({ runnerId: runner.id, runner })),
    ...others.map((runnerId) => ({ runnerId, runner: null })),
  ]
  return rows.map((row) => ({
    ...row,
    lanes: packed(byRunner.get(row.runnerId) ?? [], { span, now, lost }).map((bars, lane) => ({
      runnerId: row.runnerId,
      lane,
      bars,
    })),
  }))
}

/** By the step and the number of the try. */
const tryKey = (invocationId: string, number: number): string => `${invocationId} ${number}`

const lostTries = (attempts: readonly RunnerAttempt[]): ReadonlyMap<string, RunnerAttempt> =>
  new Map(
    attempts
      .filter(({ outcome }) => outcome === 'lost')
      .map((attempt) => [tryKey(attempt.invocationId, attempt.number), attempt]),
  )

interface Packing {
  readonly span: LaneSpan
  readonly now: Instant
  readonly lost: ReadonlyMap<string, RunnerAttempt>
}

/** What lies side by side in as few lanes as there are tries at the same time; at least one, empty or not. */
function packed(attempts: readonly RunnerAttempt[], packing: Packing): readonly (readonly LaneBar[])[] {
  const lanes: { readonly bars: LaneBar[]; until: Instant }[] = [
    { bars: [], until: Number.NEGATIVE_INFINITY },
  ]
  for (const attempt of attempts.toSorted((a, b) => a.startedAt - b.startedAt)) {
    let lane = lanes.find(({ until }) => until <= attempt.startedAt)
    if (lane === undefined && lanes.length < lanesMax) {
      lane = { bars: [], until: 0 }
      lanes.push(lane)
    }
    lane ??= lanes.at(-1)
    if (lane === undefined) continue
    lane.until = attempt.endedAt ?? Number.POSITIVE_INFINITY
    lane.bars.push(barOf(attempt, packing.lost))
  }
  return lanes.map(({ bars }) => merged(bars, packing))
}

const barOf = (attempt: RunnerAttempt, lost: Packing['lost']): LaneBar => ({
  key: attempt.id,
  from: attempt.startedAt,
  to: attempt.endedAt,
  attempt,
  count: 1,
  tookOver: lost.get(tryKey(attempt.invocationId, attempt.number - 1)) ?? null,
})

function merged(bars: readonly LaneBar[], { span, now }: Packing): readonly LaneBar[] {
  const least = (span.to - span.from) * mergedShare
  const isNarrow = ({ from, to }: LaneBar): boolean => (to ?? now) - from < least
  const drawn: LaneBar[] = []
  for (const bar of bars) {
    const last = drawn.at(-1)
    const isClose = last !== undefined && bar.from - (last.to ?? now) < least
    const mayJoin = last !== undefined && (last.count > 1 || isNarrow(last)) && isNarrow(bar)
    // What was taken over is what one looks for.
    if (!isClose || !mayJoin || bar.tookOver !== null || last.tookOver !== null) drawn.push(bar)
    else drawn[drawn.length - 1] = joined(last, bar)
  }
  return drawn
}

const joined = (last: LaneBar, bar: LaneBar): LaneBar => ({
  ...last,
  to: bar.to,
  attempt: badness(bar.attempt) > badness(last.attempt) ? bar.attempt : last.attempt,
  count: last.count + bar.count,
})

const order: readonly RunnerAttempt['outcome'][] = [
  'succeeded',
  'reused',
  'skipped',
  'parked',
  null,
  'handed-back',
  'cancelled',
  'lost',
  'timed-out',
  'failed',
]
const badness = ({ outcome }: RunnerAttempt): number => order.indexOf(outcome)

/** Round instants in a span, about as many as have room. */
export function ticksOf({ from, to }: LaneSpan): readonly Instant[] {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600].map(
    (seconds) => seconds * 1_000,
  )
  const step = steps.find((ms) => (to - from) / ms <= 8) ?? 43_200_000
  const first = Math.ceil(from / step) * step
  return Array.from(
    { length: Math.max(0, Math.floor((to - first) / step) + 1) },
    (_, index) => first + index * step,
  )
}

/** Where the keyboard goes from a bar: along its lane, or to what is nearest in the lane above or below. */
export function barToward(rows: readonly RunnerLanes[], at: string | null, key: string): LaneBar | null {
  const lanes = rows
    .flatMap(({ lanes: own }) => own.map(({ bars }) => bars))
    .filter(({ length }) => length > 0)
  const row = lanes.findIndex((bars) => bars.some((bar) => bar.key === at))
  const own = lanes[row]
  if (own === undefined) return lanes[0]?.at(-1) ?? null
  const place = own.findIndex((bar) => bar.key === at)
  const bar = own[place]
  if (key === 'Home') return own[0] ?? null
  if (key === 'End') return own.at(-1) ?? null
  if (key === 'ArrowLeft') return own[place - 1] ?? null
  if (key === 'ArrowRight') return own[place + 1] ?? null
  const next = lanes[row + (key === 'ArrowDown' ? 1 : -1)]
  if (next === undefined || bar === undefined) return null
  return next.reduce((best, one) =>
    Math.abs(one.from - bar.from) < Math.abs(best.from - bar.from) ? one : best,
  )
}
