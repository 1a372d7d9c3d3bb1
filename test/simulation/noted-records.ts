/** A partition's records that tell what a write changed, so that the same can be done to its replica, or again. */

import type { EngineEvent, EventDraft } from '../../src-engine/model/event.ts'
import type { OpId } from '../../src-engine/model/ids.ts'
import type { EventOrigin } from '../../src-engine/store/event-chain.ts'
import type { Records } from '../../src-engine/store/memory/memory-records.ts'
import { appendEvents, noRecords } from '../../src-engine/store/memory/memory-records.ts'

const mapNames = [
  'runs',
  'invocations',
  'attempts',
  'workflowVersions',
  'registers',
  'registerDue',
  'slots',
  'outbox',
  'deadLetters',
  'runners',
] as const

type MapName = (typeof mapNames)[number]

/** A record that was written; `undefined` for one that is gone. */
export interface Put {
  readonly map: MapName
  readonly key: string
  readonly value: unknown
}

/** Events of one operation. */
export interface Told {
  readonly origin: EventOrigin
  readonly drafts: readonly EventDraft[]
}

/** All that one write changed. */
export interface Change {
  readonly puts: readonly Put[]
  readonly told: readonly Told[]
  readonly opIds: readonly OpId[]
}

class NotedMap extends Map<string, unknown> {
  note: ((key: string, value: unknown) => void) | null = null

  override set(key: string, value: unknown): this {
    this.note?.(key, value)
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    if (this.has(key)) this.note?.(key, undefined)
    return super.delete(key)
  }
}

export interface NotedRecords {
  readonly records: Records
  /** What the call answers and changes; it changes all of it at once, before it first waits for anything. */
  readonly during: <Answer>(write: () => Answer) => { readonly answer: Answer; readonly change: Change }
}

/** An empty partition. */
export function notedRecords(partition: number): NotedRecords {
  const maps = mapNames.map((name) => [name, new NotedMap()] as const)
  const records = { ...noRecords(partition), ...Object.fromEntries(maps) } as Records
  return {
    records,
    during(write) {
      const puts = new Map<string, Put>()
      for (const [map, noted] of maps)
        noted.note = (key, value) => {
          puts.delete(`${map} ${key}`)
          puts.set(`${map} ${key}`, { map, key, value })
        }
      const before = records.events.length
      const knownOps = records.opIds.size
      const answer = write()
      for (const [, noted] of maps) noted.note = null
      const opIds = records.opIds.size === knownOps ? [] : [...records.opIds].slice(knownOps)
      return { answer, change: { puts: [...puts.values()], told: toldSince(records, before), opIds } }
    },
  }
}

function toldSince({ events }: Records, before: number): readonly Told[] {
  const byOp = Map.groupBy(events.slice(before), ({ opId }) => opId)
  return [...byOp.values()].map((own) => {
    const [first] = own
    if (first === undefined) throw new RangeError('a group of nothing')
    const { opId, actor, at } = first
    return { origin: { opId, actor, at }, drafts: own.map(draftOf) }
  })
}

const draftOf = ({ runId, invocationId, cause, body, runVersion }: EngineEvent): EventDraft => {
  const draft = { runId, invocationId, cause, body }
  return runVersion === undefined ? draft : { ...draft, runVersion }
}

/** Does the same to records: their events go on from where these end. */
export function applyChange(records: Records, { puts, told, opIds }: Change): void {
  for (const { map, key, value } of puts) {
    // Keys and values are those of the same map of other records.
    const own = records[map] as Map<string, unknown>
    if (value === undefined) own.delete(key)
    else own.set(key, value)
  }
  for (const { origin, drafts } of told) appendEvents(records, origin, drafts)
  for (const opId of opIds) records.opIds.add(opId)
}
