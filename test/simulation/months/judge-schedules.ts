/** Whether each slot of each schedule is one run, or one record with a reason that is true. */

import type { Instant, Millis } from '../../../src-engine/model/time.ts'
import { minute } from '../../../src-engine/model/time.ts'
import type { FiringLine, RunLine } from './ledger.ts'
import type { Regime } from './regimes.ts'
import { regimesOf, slotsOf } from './regimes.ts'
import type { Trial } from './trial.ts'

/** What a decision may take on a slow store, and be late beyond the minute that counts as on time. */
const slackMs: Millis = 2 * minute

export function judgeSchedules(trial: Trial): readonly string[] {
  const { plan, ledger, end } = trial
  const regimes = regimesOf(plan, ledger.triggers, ledger.firings)
  const isCalm = !Object.values(plan.faults).some(Boolean)
  return [...Map.groupBy(regimes, ({ triggerId }) => triggerId).values()].flatMap((lives) => [
    ...lives.flatMap((regime) => judgeSlots(regime, lives)),
    ...lives.flatMap((regime) => judgeReasons(trial, regime, lives)),
    ...lives.flatMap((regime) => judgeOverlap(trial, regime)),
    ...lives.flatMap((regime) => (regime.isOver ? [] : judgeEnd(regime, end))),
    ...(isCalm ? lives.flatMap(judgeCalm) : []),
  ])
}

const told = (at: Instant): string => new Date(at).toISOString()
const named = ({ triggerId, text }: Regime): string =>
  `${triggerId} (${text.parameters.expression} in ${text.parameters.timeZone})`

/** The slots that a record stands for. */
const slotsOfLine = ({ text }: Regime, { firing: { slots } }: FiringLine): readonly Instant[] =>
  slots === null ? [] : slotsOf(text, slots.from - 1, slots.to)

/** Every slot that counts as decided has a record, and none has two. */
function judgeSlots(regime: Regime, lives: readonly Regime[]): readonly string[] {
  const problems: string[] = []
  const times = new Map<Instant, number>()
  for (const line of regime.lines) {
    const { slots } = line.firing
    const found = slotsOfLine(regime, line)
    const fits = found.length === slots?.count && found[0] === slots.from && found.at(-1) === slots.to
    if (!fits)
      problems.push(`the record ${line.firing.id} of ${named(regime)} tells of slots that aren’t there`)
    for (const slot of found) times.set(slot, (times.get(slot) ?? 0) + 1)
  }
  for (const [slot, count] of times)
    if (count > 1) problems.push(`the slot ${told(slot)} of ${named(regime)} has ${count} records`)
  for (const slot of slotsOf(regime.text, regime.since, regime.decidedUpTo)) {
    // One of its name may have decided it before a clock went back.
    const isTold =
      times.has(slot) || lives.some((other) => other !== regime && other.lines.some(covers(slot)))
    if (!isTold) problems.push(`the slot ${told(slot)} of ${named(regime)} is lost`)
  }
  return problems
}

const covers =
  (slot: Instant) =>
  ({ firing: { slots } }: FiringLine): boolean =>
    slots !== null && slots.from <= slot && slot <= slots.to

/** What is due is decided in the end. */
function judgeEnd(regime: Regime, end: Instant): readonly string[] {
  if (!regime.isOn) return [`${named(regime)} is off`]
  const upTo = end - regime.text.parameters.jitterMs - 5 * minute
  const left = slotsOf(regime.text, Math.max(regime.since, regime.decidedUpTo), upTo)
  return left.length === 0 ? [] : [`${left.length} slots of ${named(regime)} were never looked at`]
}

/** Where nothing went wrong, every slot is looked at in time. */
const judgeCalm = (regime: Regime): readonly string[] =>
  regime.lines
    .filter(({ firing: { reason, slots, at } }) => {
      const isLate = slots !== null && at > slots.to + regime.text.parameters.jitterMs + minute
      return isLate || (reason !== null && reason !== 'still_running' && reason !== 'queue_full')
    })
    .map(({ firing }) => `${named(regime)} was late without cause: ${firing.words}`)

function judgeReasons({ ledger }: Trial, regime: Regime, lives: readonly Regime[]): readonly string[] {
  const fired = lives.flatMap(({ lines }) => lines).filter(({ firing }) => firing.runId !== null)
  const reborn = lives.slice(0, lives.indexOf(regime) + 1).findLastIndex(({ isNew }) => isNew)
  const counting = new Set(lives.slice(Math.max(0, reborn)))
  const known = fired.filter((line) => [...counting].some(({ lines }) => lines.includes(line)))
  return regime.lines.flatMap((line) => {
    const before = known.findLast(({ place }) => place < line.place)
    const run = before?.firing.runId ?? null
    const last = run === null ? null : (ledger.runs.get(run) ?? null)
    const problem = wrongAbout(regime, line, last)
    return problem === null ? [] : [`${named(regime)}, ${line.firing.words} ${problem}`]
  })
}

/** Why the record can't be right; null where it can. */
function wrongAbout(regime: Regime, { firing, at, place }: FiringLine, last: RunLine | null): string | null {
  const { overlap, catchUp, catchUpMax, catchUpWindowMs, jitterMs } = regime.text.parameters
  const { slots, reason } = firing
  if (slots === null) return 'It has no slots.'
  if (slots.to > firing.at) return 'It was early.'
  const lateMs = firing.at - slots.to
  const isLate = lateMs - jitterMs > minute + slackMs
  const newer = (): number => slotsOf(regime.text, slots.to, firing.at).length
  switch (reason) {
    case null:
      if (isLate && catchUp === 'skip') return 'It was missed, and started all the same.'
      if (isLate && lateMs - jitterMs > catchUpWindowMs + slackMs) return 'It was outside of its window.'
      return overlap === 'skip' && last !== null && (last.endedPlace ?? place) >= place
        ? 'The run before it still went on.'
        : null
    case 'missed':
      return catchUp === 'skip' && lateMs >= minute ? null : 'It was not missed.'
    case 'outside_window':
      return catchUp !== 'skip' && lateMs > catchUpWindowMs ? null : 'It was within its window.'
    case 'too_many_missed':
      return catchUp !== 'skip' && lateMs >= minute && newer() >= (catchUp === 'all' ? catchUpMax : 1)
        ? null
        : 'It was not one too many.'
    case 'still_running':
      return overlap === 'skip' && last !== null && (last.endedAt ?? at) >= at - slackMs
        ? null
        : 'Nothing was running.'
    case 'queue_full':
      return overlap === 'queue' ? null : 'There is no queue.'
    default:
      return `${reason} is no reason.`
  }
}

/** Of a schedule whose runs wait for each other one is at work at a time. */
function judgeOverlap({ ledger }: Trial, regime: Regime): readonly string[] {
  if (regime.text.parameters.overlap === 'allow') return []
  const runs = regime.lines
    .flatMap(({ firing }) => (firing.runId === null ? [] : (ledger.runs.get(firing.runId) ?? [])))
    .flatMap((line) => (line.runningPlace === null ? [] : [{ ...line, from: line.runningPlace }]))
    .toSorted((a, b) => a.from - b.from)
  return runs.flatMap((line, index) => {
    const before = runs[index - 1]
    const overlaps = before !== undefined && (before.endedPlace ?? Number.POSITIVE_INFINITY) > line.from
    return overlaps ? [`${line.run.id} began while ${before.run.id} was at work`] : []
  })
}
