/** The lives of a schedule: from one publication that changed it to the next, with its records and its slots. */

import type { Instant } from '../../../src-engine/model/time.ts'
import { minute } from '../../../src-engine/model/time.ts'
import { isTriggerOn } from '../../../src-engine/model/trigger.ts'
import { scannerOf } from '../../triggers/oracle-scan.ts'
import type { FiringLine, TriggerLine } from './ledger.ts'
import type { MonthPlan, ScheduleText } from './plan.ts'

export interface Regime {
  readonly triggerId: string
  readonly text: ScheduleText
  readonly since: Instant
  /** Whether there was none of its name before. */
  readonly isNew: boolean
  readonly lines: FiringLine[]
  /** Everything up to here is decided, says the register. */
  decidedUpTo: Instant
  isOn: boolean
  /** Whether another one, or none, has taken its place. */
  isOver: boolean
}

/** The schedules' lives, in their order. */
export function regimesOf(
  plan: MonthPlan,
  triggers: readonly TriggerLine[],
  firings: readonly FiringLine[],
): readonly Regime[] {
  const texts = new Map(
    plan.publications.flatMap(({ schedules }) =>
      Object.values(schedules).flatMap((text) => (text === null ? [] : [[text.title, text] as const])),
    ),
  )
  const all: Regime[] = []
  const current = new Map<string, Regime>()
  const ofPlace = Map.groupBy(firings, ({ place }) => place)
  const places = new Set([...triggers.map(({ place }) => place), ...ofPlace.keys()])
  const moves = Map.groupBy(triggers, ({ place }) => place)
  for (const place of [...places].toSorted((a, b) => a - b)) {
    for (const { key, trigger } of moves.get(place) ?? []) {
      const known = current.get(key)
      const text = trigger === null ? undefined : texts.get(trigger.title ?? '')
      if (trigger === null || text === undefined) {
        if (known !== undefined) known.isOver = true
        current.delete(key)
        continue
      }
      const { triggerId, since, decidedUpTo } = trigger
      const isOn = isTriggerOn(trigger)
      if (known?.since === since && known.text === text) {
        Object.assign(known, { decidedUpTo: Math.max(known.decidedUpTo, decidedUpTo), isOn })
        continue
      }
      if (known !== undefined) known.isOver = true
      const isNew = known === undefined
      const regime: Regime = { triggerId, text, since, isNew, lines: [], decidedUpTo, isOn, isOver: false }
      current.set(key, regime)
      all.push(regime)
    }
    for (const line of ofPlace.get(place) ?? [])
      if (line.firing.kind === 'cron')
        current.get(`trigger/${line.firing.workflowId}/${line.firing.triggerId}`)?.lines.push(line)
  }
  return all
}

/** The slots of a text after one instant up to another, by brute force. */
export function slotsOf(
  { parameters: { expression, timeZone: zone, except } }: ScheduleText,
  after: Instant,
  upTo: Instant,
): readonly Instant[] {
  if (upTo <= after) return []
  const year = new Date(after).getUTCFullYear()
  const scan = scannerOf({ expression, zone, year, except })
  const range = {
    from: Math.floor(after / minute),
    to: Math.floor(upTo / minute) + 1,
    limit: Number.MAX_SAFE_INTEGER,
  }
  return scan(range)
    .map((second) => second * 1_000)
    .filter((slot) => slot > after && slot <= upTo)
}
