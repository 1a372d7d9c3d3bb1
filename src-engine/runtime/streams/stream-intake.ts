/** What is made of entries before they start anything: whether they count, which go together, what the run gets. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { streamBatchMax } from '../../model/limits.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { RedisStreamParameters } from '../../triggers/redis-stream/spec.ts'
import type { StreamEntry } from '../../triggers/redis-stream/stream-entry.ts'
import { entryPayload } from '../../triggers/redis-stream/stream-entry.ts'
import type { SeenEvent } from '../triggers/event-match.ts'
import { inputOf, passes } from '../triggers/event-match.ts'
import { lookForKey, repeatedWords } from '../triggers/occurrence-keys.ts'
import type { FireParts } from '../triggers/start-firing.ts'
import type { GuardedWrite } from '../triggers/trigger-registers.ts'
import type { NoStart, WantedStart } from '../triggers/wanted-start.ts'
import { failed, filteredOut } from '../triggers/wanted-start.ts'

/** An entry that counts. */
export interface TakenEntry {
  readonly id: string
  /** Its id, instant and fields. */
  readonly payload: JsonObject
  /** Its key, to be written with what is decided; null for none. */
  readonly mark: GuardedWrite | null
}

/** A batch that nobody gave a time waits no longer than this for the entries that it lacks. */
const togetherMsUsual: Millis = 10 * second

/** Whether entries wait for others. */
export const isTogether = ({ batchMax, batchMs }: RedisStreamParameters): boolean =>
  batchMax > 1 || batchMs > 0

export const togetherMs = ({ batchMs }: RedisStreamParameters): Millis =>
  batchMs > 0 ? batchMs : togetherMsUsual

/** How many more go together with those that are gathered. */
export function batchRoom(parameters: RedisStreamParameters, gathered: number): number {
  if (!isTogether(parameters)) return streamBatchMax
  return (parameters.batchMax > 1 ? parameters.batchMax : streamBatchMax) - gathered
}

export interface EntryToTake {
  readonly name: TriggerName
  readonly parameters: RedisStreamParameters
  readonly entry: StreamEntry
  /** Of those that are gathered and not yet decided. */
  readonly keys: ReadonlySet<string>
}

export async function takeEntry(
  parts: FireParts,
  { name, parameters, entry, keys }: EntryToTake,
): Promise<
  | { readonly kind: 'taken'; readonly entry: TakenEntry }
  | { readonly kind: 'nothing'; readonly skip: NoStart }
> {
  const payload = entryPayload(entry, parameters.values)
  const event = eventOf(parts, parameters, { id: entry.id, payload })
  const now = parts.clock.now()
  try {
    // Parsed from JSON by the trigger's schema.
    const filter = parameters.filter as JsonValue
    if (!(await passes(parts, filter, { event, now }))) return { kind: 'nothing', skip: filteredOut }
  } catch (thrown) {
    return { kind: 'nothing', skip: failed('Its filter', thrown) }
  }
  const look = await lookForKey(parts, { name, parameters, id: entry.id, event })
  if (look.kind === 'not') return { kind: 'nothing', skip: look.skip }
  const { mark } = look
  if (mark !== null && keys.has(mark.key))
    return { kind: 'nothing', skip: repeatedWords(new Date(now).toISOString()) }
  return { kind: 'taken', entry: { id: entry.id, payload, mark } }
}

/** What expressions see as `event`. */
function eventOf(
  parts: FireParts,
  { stream }: RedisStreamParameters,
  { id, payload }: { readonly id: string; readonly payload: JsonObject },
): SeenEvent {
  const at = new Date(parts.clock.now()).toISOString()
  return { id, name: stream, correlation: null, payload: { stream, ...payload }, at, source: null }
}

export const singleInput = (
  parts: FireParts,
  parameters: RedisStreamParameters,
  { id, payload }: TakenEntry,
): Promise<WantedStart> => wantedInput(parts, parameters, { id, payload })

export const batchInput = (
  parts: FireParts,
  parameters: RedisStreamParameters,
  gathered: readonly TakenEntry[],
): Promise<WantedStart> =>
  wantedInput(parts, parameters, {
    id: gathered[0]?.id ?? '',
    payload: { entries: gathered.map(({ payload }) => payload) },
  })

async function wantedInput(
  parts: FireParts,
  parameters: RedisStreamParameters,
  said: { readonly id: string; readonly payload: JsonObject },
): Promise<WantedStart> {
  const event = eventOf(parts, parameters, said)
  try {
    // Parsed from JSON by the trigger's schema.
    const input = await inputOf(parts, parameters.input as JsonValue, { event, now: parts.clock.now() })
    return { kind: 'input', input }
  } catch (thrown) {
    return failed('The expression for its input', thrown)
  }
}
