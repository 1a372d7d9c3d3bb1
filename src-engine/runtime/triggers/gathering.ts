/** Events that start a run together: the last of a burst, or as many as come until there are enough. */

import { SagasmithError } from '../../model/errors.ts'
import type { EventRecord } from '../../model/event-record.ts'
import { eventKey, readEventRecord } from '../../model/event-record.ts'
import { runIdOf } from '../../model/ids.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import type { TriggerName, TriggerRecord, WaitingOccurrence } from '../../model/trigger.ts'
import { isTriggerOn, newestFirstPart } from '../../model/trigger.ts'
import type { RegisterGuard } from '../register-look.ts'
import { isOther, lookAtRegister } from '../register-look.ts'
import { fire } from './fire.ts'
import type { OverlapParts } from './overlap.ts'
import { lookForRoom } from './overlap.ts'
import type { Fired, FireParts, ToFire } from './start-firing.ts'
import { runOfRequest, skipFiring } from './start-firing.ts'
import { depthAfter } from './trigger-depth.ts'
import type { GuardedWrite, StoredTrigger, TriggerRegistersParts } from './trigger-registers.ts'
import { loadTrigger, movedTrigger, writeRegisters } from './trigger-registers.ts'
import type { EventParameters } from './waiting.ts'
import { waitingDueAt } from './waiting.ts'

/** What was taken, so that a repeat of its delivery isn't taken again. */
export const tookPrefix = 'took/'

const tookKey = ({ workflowId, triggerId }: TriggerName, { id, at }: { id: string; at: Instant }): string =>
  tookPrefix + [newestFirstPart(at), ...[workflowId, triggerId, id].map(encodeURIComponent)].join('/')

const racesMax = 50

/** An event that a trigger is to wait with. */
interface OccurrenceToTake extends Pick<WaitingOccurrence, 'id' | 'at' | 'source'> {
  /** Its key, which is written with it; null for none. */
  readonly mark: GuardedWrite | null
}

/** Has the trigger wait with the event; durable when it resolves. */
export async function takeOccurrence(
  parts: TriggerRegistersParts & { readonly changed: () => void },
  name: TriggerName,
  { mark, ...occurrence }: OccurrenceToTake,
): Promise<void> {
  const took = { key: tookKey(name, occurrence), version: 0, value: { at: occurrence.at } }
  for (let races = 0; races < racesMax; races += 1) {
    const stored = await loadTrigger(parts, name)
    if (stored === null || !isTriggerOn(stored.record)) return
    if ((await parts.store.load(parts.partition, 'register', { key: took.key })) !== null) return
    const takenAt = parts.clock.now()
    const waiting = [...stored.record.waiting, { condition: 0, takenAt, ...occurrence }]
    const record = { ...stored.record, waiting }
    const moved = movedTrigger(stored, { record, dueAt: waitingDueAt(record) })
    if (await writeRegisters(parts, [moved, took, ...(mark === null ? [] : [mark])])) {
      parts.changed()
      return
    }
    // Another one with its key has come: whoever delivers it asks again.
    if (mark !== null && isOther(await lookAtRegister(parts, mark.key), { epoch: 0, ...mark })) break
  }
  throw new SagasmithError('lost_race')
}

/** Starts the run of all that waits. Resolves with how many it started. */
export async function takeGatheredTurn(
  parts: FireParts & OverlapParts,
  trigger: StoredTrigger,
  fence: RegisterGuard,
): Promise<number> {
  const { record } = trigger
  const [first] = record.waiting
  const last = record.waiting.at(-1)
  const rest = { ...record, waiting: [] }
  const moved = movedTrigger(trigger, { record: rest, dueAt: null })
  if (first === undefined || last === undefined) {
    await writeRegisters(parts, [moved], [fence])
    return 0
  }
  const events = await gatheredEvents(parts, record)
  const request = `events:${record.workflowId}/${record.triggerId}:${last.id}`
  // They went through the spec's schema when the trigger was published.
  const { overlap } = record.parameters as unknown as EventParameters
  const room = await lookForRoom(parts, record, { overlap, next: runOfRequest(request) })
  const toFire: ToFire = {
    trigger,
    occurrence: {
      id: last.id,
      at: last.at,
      sources: record.waiting.map(({ source }) => source),
      slots: null,
      words: `${record.waiting.length} events came together.`,
      depth: await depthAfterAll(parts, events),
    },
    move: { record: rest, dueAt: null },
    guards: [fence],
    also: room.kind === 'room' ? room.also : [],
  }
  const fired: Fired =
    room.kind === 'none'
      ? await skipFiring(parts, toFire, room.skip)
      : await fire(parts, {
          ...toFire,
          ...room.with,
          input: await gatheredInput(parts, record, events),
          request,
        })
  if (fired.kind === 'known') await writeRegisters(parts, [moved], [fence])
  return fired.kind === 'started' ? 1 : 0
}

/** The longest of the chains that they are the end of: what is too long isn't gathered. */
async function depthAfterAll(parts: FireParts, events: readonly EventRecord[]): Promise<number> {
  const sources = new Set(events.flatMap(({ source }) => (source === null ? [] : [runIdOf(source)])))
  let longest = 1
  for (const source of sources) longest = Math.max(longest, await depthAfter(parts, source))
  return longest
}

/** Their records, as far as these are kept. */
async function gatheredEvents(parts: FireParts, record: TriggerRecord): Promise<readonly EventRecord[]> {
  const events: EventRecord[] = []
  for (const { source } of record.waiting) {
    if (source.kind !== 'event') continue
    const key = eventKey(source.eventId)
    const register = await parts.store.load(parts.partition, 'register', { key })
    const event = readEventRecord(register?.value)
    if (event !== null) events.push(event)
  }
  return events
}

/** The last of a burst as it is; of a batch, all of them. */
async function gatheredInput(
  parts: FireParts,
  record: TriggerRecord,
  gathered: readonly EventRecord[],
): Promise<JsonValue> {
  const { batchMax = 0, batchMs = 0 } = record.parameters as unknown as EventParameters
  const events: JsonObject[] = []
  for (const event of gathered) {
    const { messageId: id, name, correlation, at } = event
    const payload = await parts.payloads.value(event.payload)
    events.push({ id, name, correlation, payload, at: new Date(at).toISOString() })
  }
  return batchMax > 1 || batchMs > 0 ? { events } : (events.at(-1)?.['payload'] ?? {})
}
