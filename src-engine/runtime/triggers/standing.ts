/** How a trigger stands, in words: why it starts nothing now, what it waits for, what it did last. */

import { compositeKind } from '../../model/composite.ts'
import type { Instant } from '../../model/time.ts'
import type { FiringRecord, SourceProblem, TriggerRecord } from '../../model/trigger.ts'
import type { StreamReading, TriggerView } from '../../protocol/trigger-views.ts'
import { missingOf, waitingDueAt } from './waiting.ts'

const timeOf = (at: Instant): string => new Date(at).toISOString()

/** Sentences, the most telling first; `firings` are its latest records, newest first. */
export function standingOf(
  record: TriggerRecord & Partial<Pick<TriggerView, 'reading' | 'folderProblem'>>,
  firings: readonly FiringRecord[],
): readonly string[] {
  return [
    ...offWords(record),
    ...readingWords(record.reading ?? null),
    ...folderWords(record.folderProblem ?? null),
    ...aheadWords(record),
    ...waitingWords(record),
    ...lastWords(record, firings),
  ]
}

function readingWords(reading: StreamReading | null): readonly string[] {
  if (reading === null) return []
  const { problem, open } = reading
  const waits = open === 1 ? '1 entry is' : `${open} entries are`
  return [
    ...(problem === null
      ? []
      : [`Its stream isn’t read since ${timeOf(problem.at)}: ${problem.message} ${problem.hint}`]),
    ...(open === 0 ? [] : [`${waits} not acknowledged yet.`]),
  ]
}

const folderWords = (problem: SourceProblem | null): readonly string[] =>
  problem === null
    ? []
    : [`Its folder can’t be read since ${timeOf(problem.at)}: ${problem.message} ${problem.hint}`]

function offWords({ problem, switched, enabled }: TriggerRecord): readonly string[] {
  if (problem !== null) return [`It can’t work as it is: ${problem}`]
  if (switched === false) return ['It is off: somebody switched it off.']
  return enabled || switched === true ? [] : ['It is off: its workflow says so.']
}

function aheadWords({ kind, nextAt, conditionOf }: TriggerRecord): readonly string[] {
  const names = conditionOf.map((id) => `“${id}”`).join(', ')
  const part = names === '' ? [] : [`It starts nothing by itself: it is a condition of ${names}.`]
  if (kind !== 'cron') return part
  return [nextAt === null ? 'No slot of its schedule is ahead.' : `It is due at ${timeOf(nextAt)}.`, ...part]
}

function waitingWords(record: TriggerRecord): readonly string[] {
  const { waiting, kind } = record
  if (kind !== compositeKind) {
    const due = waitingDueAt(record)
    if (waiting.length === 0) return []
    const until = due === null ? '' : `, until ${timeOf(due)} at the latest`
    return [`${waiting.length} ${waiting.length === 1 ? 'event waits' : 'events wait'} for others${until}.`]
  }
  const missing = missingOf(record).map((id) => `“${id}”`)
  if (missing.length === 0) return []
  const met = waiting.map(({ source, takenAt }) =>
    source.kind === 'condition' ? `“${source.triggerId}” was met at ${timeOf(takenAt)}` : '',
  )
  return [`It waits for ${missing.join(', ')}${met.length === 0 ? '' : `; ${met.join(', ')}`}.`]
}

function lastWords(record: TriggerRecord, firings: readonly FiringRecord[]): readonly string[] {
  const { since, lastSkip, lastFired } = record
  if (lastFired === null && lastSkip === null && firings.length === 0)
    return [`It has not occurred since ${timeOf(since)}.`]
  if (lastSkip === null || (lastFired !== null && lastFired.at > lastSkip.at)) return []
  const words = firings.find(({ id }) => id === lastSkip.firingId)?.words
  return [`Last time, at ${timeOf(lastSkip.at)}, it started nothing: ${words ?? lastSkip.reason}`]
}
