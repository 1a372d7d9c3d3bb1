/** What a trigger has taken and not yet answered: when somebody is to look at that, and what goes together. Pure. */

import { compositeKind, conditionsOf } from '../../model/composite.ts'
import type { JsonValue } from '../../model/json.ts'
import { triggerWaitingMax } from '../../model/limits.ts'
import type { OccurrenceKeyParameters } from '../../model/occurrence-key-fields.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { day } from '../../model/time.ts'
import type { TriggerRecord, WaitingOccurrence } from '../../model/trigger.ts'
import type { CompositeParameters } from '../../triggers/composite/spec.ts'
import type { Overlap } from './overlap.ts'

/** The parameters of an event trigger as its spec gives them. */
export interface EventParameters extends OccurrenceKeyParameters {
  readonly name: string
  readonly filter?: JsonValue
  readonly input?: JsonValue
  readonly debounceMs?: Millis
  readonly batchMax?: number
  readonly batchMs?: Millis
  readonly overlap?: Overlap
}

/** A batch that nobody gave a time waits no longer than this for the events that it lacks. */
const batchMsLongest: Millis = day

/** Whether events wait for others before they start something. */
export const gathers = ({ debounceMs = 0, batchMax = 0, batchMs = 0 }: EventParameters): boolean =>
  debounceMs > 0 || batchMax > 1 || batchMs > 0

/** When what waits is to be looked at; null while there is no such instant. */
export function waitingDueAt(record: TriggerRecord): Instant | null {
  if (record.waiting.length === 0) return null
  if (record.kind === compositeKind) return compositeDueAt(record)
  return record.kind === 'event' ? batchDueAt(record) : null
}

function batchDueAt({ parameters, waiting }: TriggerRecord): Instant | null {
  // They went through the spec's schema when the trigger was published.
  const { debounceMs = 0, batchMax = 0, batchMs = 0 } = parameters as unknown as EventParameters
  const since = waiting[0]?.takenAt ?? 0
  const last = waiting.at(-1)?.takenAt ?? 0
  const isFull = (batchMax > 1 && waiting.length >= batchMax) || waiting.length >= triggerWaitingMax
  if (isFull) return last
  const longest = batchMs > 0 ? batchMs : batchMax > 1 ? batchMsLongest : null
  const spans = [
    ...(debounceMs > 0 ? [last + debounceMs] : []),
    ...(longest === null ? [] : [since + longest]),
  ]
  return spans.length === 0 ? null : Math.min(...spans)
}

function compositeDueAt(record: TriggerRecord): Instant | null {
  if (together(record) !== null) return record.waiting.at(-1)?.takenAt ?? null
  const { expiresMs } = compositeOf(record)
  if (expiresMs === 0) return null
  return Math.min(...record.waiting.map(({ takenAt }) => takenAt)) + expiresMs
}

/** They went through the spec's schema when the trigger was published. */
export const compositeOf = ({ parameters }: TriggerRecord): CompositeParameters =>
  parameters as unknown as CompositeParameters

/** What starts a run together: of each condition the one that has waited longest; null while one is missing. */
export function together(record: TriggerRecord): readonly WaitingOccurrence[] | null {
  const [first] = record.waiting
  if (first === undefined) return null
  const { mode, conditions } = compositeOf(record)
  if (mode === 'any') return [first]
  const found = conditions.map((_, place) => record.waiting.find(({ condition }) => condition === place))
  return found.every((one) => one !== undefined) ? found : null
}

/** The conditions that nothing waits for yet; none for a trigger that has no conditions. */
export function missingOf(record: TriggerRecord): readonly string[] {
  if (record.kind !== compositeKind) return []
  const { waiting } = record
  return conditionsOf(record.parameters).filter(
    (_, place) => !waiting.some(({ condition }) => condition === place),
  )
}

/** What waits alone for longer than it may. */
export function expiredOf(record: TriggerRecord, now: Instant): readonly WaitingOccurrence[] {
  const { expiresMs } = compositeOf(record)
  if (expiresMs === 0 || together(record) !== null) return []
  return record.waiting.filter(({ takenAt }) => takenAt + expiresMs <= now)
}
