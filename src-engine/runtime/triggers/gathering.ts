/** Events that start a run together: the last of a burst, or as many as come until there are enough. */

import { SagasmithError } from '../../model/errors.ts'
import { eventKey, readEventRecord } from '../../model/event-record.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { triggerWaitingMax } from '../../model/limits.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { TriggerName, TriggerRecord, WaitingOccurrence } from '../../model/trigger.ts'
import { isTriggerOn, newestFirstPart, triggerKey, triggerValue } from '../../model/trigger.ts'
import type { Fired, FireParts } from './fire.ts'
import { fire } from './fire.ts'
import type { RegisterGuard, StoredTrigger, TriggerRegistersParts } from './trigger-registers.ts'
import { loadTrigger, writeRegisters } from './trigger-registers.ts'

/** The parameters of an event trigger as its spec gives them. */
export interface EventParameters {
  readonly name: string
  readonly filter?: JsonValue
  readonly input?: JsonValue
  readonly debounceMs?: Millis
  readonly batchMax?: number
  readonly batchMs?: Millis
}

/** Whether events wait for others before they start something. */
export const gathers = ({ debounceMs = 0, batchMax = 0, batchMs = 0 }: EventParameters): boolean =>
  debounceMs > 0 || batchMax > 1 || batchMs > 0

/** What was taken, so that a repeat of its delivery isn't taken again. */
export const tookPrefix = 'took/'

const tookKey = ({ workflowId, triggerId }: TriggerName, { id, at }: { id: string; at: Instant }): string =>
  tookPrefix + [newestFirstPart(at), ...[workflowId, triggerId, id].map(encodeURIComponent)].join('/')

const racesMax = 50

/** Has the trigger wait with the event; durable when it resolves. */
export async function takeOccurrence(
  parts: TriggerRegistersParts & { readonly changed: () => void },
  name: TriggerName,
  occurrence: Pick<WaitingOccurrence, 'id' | 'at' | 'source'>,
): Promise<void> {
  const took = { key: tookKey(name, occurrence), version: 0, value: { at: occurrence.at } }
  for (let races = 0; races < racesMax; races += 1) {
    const stored = await loadTrigger(parts, name)
    if (stored === null || !isTriggerOn(stored.record)) return
    if ((await parts.store.load(parts.partition, 'register', { key: took.key })) !== null) return
    const takenAt = parts.clock.now()
    const waiting = [...stored.record.waiting, { condition: 0, takenAt, ...occurrence }]
    const record = { ...stored.record, waiting }
    const dueAt = dueOf(record, takenAt)
    const moved = { key: triggerKey(record), version: stored.version, value: triggerValue(record), dueAt }
    if (await writeRegisters(parts, [moved, took])) {
      parts.changed()
      return
    }
  }
  throw new SagasmithError('lost_race')
}

/** When what waits starts a run. */
function dueOf(record: TriggerRecord, now: Instant): Instant | null {
  const given = record.parameters as unknown as EventParameters
  const { debounceMs = 0, batchMax = 0, batchMs = 0 } = given
  const { waiting } = record
  const isFull = (batchMax > 1 && waiting.length >= batchMax) || waiting.length >= triggerWaitingMax
  if (isFull) return now
  const since = waiting[0]?.takenAt ?? now
  const spans = [...(debounceMs > 0 ? [now + debounceMs] : []), ...(batchMs > 0 ? [since + batchMs] : [])]
  return spans.length === 0 ? null : Math.min(...spans)
}

/** Starts the run of all that waits. Resolves with how many it started. */
export async function takeGatheredTurn(
  parts: FireParts,
  trigger: StoredTrigger,
  fence: RegisterGuard,
): Promise<number> {
  const { record } = trigger
  const [first] = record.waiting
  const last = record.waiting.at(-1)
  const rest = { ...record, waiting: [] }
  const moved = { key: triggerKey(record), version: trigger.version, value: triggerValue(rest), dueAt: null }
  if (first === undefined || last === undefined) {
    await writeRegisters(parts, [moved], [fence])
    return 0
  }
  const fired: Fired = await fire(parts, {
    trigger,
    occurrence: {
      id: last.id,
      at: last.at,
      sources: record.waiting.map(({ source }) => source),
      slots: null,
      words: `${record.waiting.length} events came together.`,
      depth: 1,
    },
    move: { record: rest, dueAt: null },
    guards: [fence],
    also: [],
    input: await gatheredInput(parts, record),
    request: `events:${record.workflowId}/${record.triggerId}:${last.id}`,
  })
  if (fired.kind === 'known') await writeRegisters(parts, [moved], [fence])
  return fired.kind === 'started' ? 1 : 0
}

/** The last of a burst as it is; of a batch, all of them. */
async function gatheredInput(parts: FireParts, record: TriggerRecord): Promise<JsonValue> {
  const { batchMax = 0, batchMs = 0 } = record.parameters as unknown as EventParameters
  const events: JsonObject[] = []
  for (const { source } of record.waiting) {
    if (source.kind !== 'event') continue
    const key = eventKey(source.eventId)
    const register = await parts.store.load(parts.partition, 'register', { key })
    const event = readEventRecord(register?.value)
    if (event === null) continue
    const { messageId: id, name, correlation, at } = event
    const payload = await parts.payloads.value(event.payload)
    events.push({ id, name, correlation, payload, at: new Date(at).toISOString() })
  }
  return batchMax > 1 || batchMs > 0 ? { events } : (events.at(-1)?.['payload'] ?? {})
}
