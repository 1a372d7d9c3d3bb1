/** What a partition in fast mode holds beside its records, and what writes make of it. */

import type { SlotTake } from '../../src-engine/model/checkpoint.ts'
import { unpackEvents } from '../../src-engine/model/event-codec.ts'
import type { OpId } from '../../src-engine/model/ids.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { Instant } from '../../src-engine/model/time.ts'
import { countsAt } from '../../src-engine/store/claim.ts'
import type { Records } from '../../src-engine/store/memory/memory-records.ts'
import { holdersOf } from '../../src-engine/store/memory/memory-records.ts'
import { keyNames, partitionKeys, runFields } from '../../src-engine/store/redis/layout.ts'
import type { PartitionState } from '../../src-engine/store/redis/partition-state.ts'
import { newPartitionState, newSeenRooms } from '../../src-engine/store/redis/partition-state.ts'
import { invocationToken, recordToken, runToken } from '../../src-engine/store/redis/tokens.ts'
import type { Unit } from '../../src-engine/store/redis/unit.ts'
import type { Change, NotedRecords, Put, Told } from './noted-records.ts'
import { notedRecords } from './noted-records.ts'

/** A write as its replica gets it. */
export interface Logged {
  readonly change: Change
  /** By key and field; empty for gone. */
  readonly tokens: readonly (readonly [string, string])[]
}

/** A partition of a cluster: its master and a replica. */
export interface FastPartition {
  /** What the packing of events asks for. */
  readonly state: PartitionState
  readonly master: NotedRecords
  readonly replica: Records
  tokens: Map<string, string>
  replicaTokens: Map<string, string>
  /** Fields of the head that tell where epochs began. */
  readonly boundaries: Map<string, string>
  log: Logged[]
  replicated: number
  isStalled: boolean
  term: number
}

/** Where a token is. */
export const placeOf = (key: string, field: string): string => `${key} ${field}`

/** Of what tells nothing. */
export const noOrigin = { opId: '' as OpId, actor: { kind: 'runner', id: null }, at: 0 } as const

/** One that holds nothing. */
export function newPartition(partition: number): FastPartition {
  const keys = partitionKeys('simulated', partition)
  return {
    state: newPartitionState(keys, { epoch: 1, seq: 0, rooms: newSeenRooms() }),
    master: notedRecords(partition),
    replica: notedRecords(partition).records,
    tokens: new Map(),
    replicaTokens: new Map(),
    boundaries: new Map(),
    log: [],
    replicated: 0,
    isStalled: false,
    term: 0,
  }
}

/** Keeps what a write left. */
export function keepTokens(tokens: Map<string, string>, { tokens: written }: Logged): void {
  for (const [place, token] of written) {
    if (token === '') tokens.delete(place)
    else tokens.set(place, token)
  }
}

/** The token that a put gives its record, where the store on Redis gives it one. */
export function writtenBy(
  { keys }: PartitionState,
  { map, key, value }: Put,
  tag: string,
): readonly { readonly key: string; readonly field: string; readonly token: string }[] {
  if (map === 'runs' && value !== undefined) {
    const { id, version, status } = value as RunRecord
    return [{ key: keys.run(id), field: runFields.token, token: runToken(version, tag, status) }]
  }
  if (map === 'invocations' && value !== undefined) {
    const record = value as InvocationRecord
    const field = runFields.invocationToken(record.id)
    return [{ key: keys.run(record.runId), field, token: invocationToken(record, tag) }]
  }
  if (map !== 'registers') return []
  const { version } = (value ?? { version: 0 }) as { readonly version: number }
  const token = value === undefined ? '' : recordToken(version, tag)
  return [{ key: keys.of(keyNames.registerTokens), field: key, token }]
}

/** Each step that was claimed is an operation of its own. */
export function partsOfClaim({ puts, told }: Change): readonly Change[] {
  return told.map((one) => {
    const id = one.drafts[0]?.invocationId
    const own = puts.filter(({ map, key, value }) => {
      return map === 'slots' ? (value as SlotTake | undefined)?.holder === id : key === id
    })
    return { puts: own, told: [one], opIds: [one.origin.opId] }
  })
}

/** Whether a record is as it was believed to be: `~` asks for the status of a run alone. */
export const fits = (believed: string, found: string): boolean =>
  believed.startsWith('~') ? found.split(' ')[2] === believed.slice(1) : believed === found

/** A key that has no room for what the change would take; null for none. */
export function fullKey(records: Records, { puts }: Change, at: Instant): string | null {
  for (const { map, value } of puts) {
    if (map !== 'slots' || value === undefined) continue
    const { key, holder, limit } = value as SlotTake
    const holders = holdersOf(records, key).filter((held) => countsAt(held, at))
    if (holders.some((held) => held.holder === holder)) continue
    if (holders.length >= limit) return key
  }
  return null
}

/** The permits that it takes and gives back. */
export function slotsOf({ puts }: Change): Pick<Unit, 'takes' | 'releases'> {
  const slots = puts.filter(({ map }) => map === 'slots')
  return {
    takes: slots.flatMap(({ value }) => (value === undefined ? [] : [value as SlotTake])),
    releases: slots.flatMap(({ key: place, value }) => {
      if (value !== undefined) return []
      const [key, holder] = JSON.parse(place) as readonly [string, string]
      return [{ key, holder }]
    }),
  }
}

/**
 * The places that are lost with these writes, together with what they were for. Who had given its place back by then
 * has none to lose: others take it by right, and it comes back as it was, to give it back in the same breath.
 */
export const placesLostBy = (changes: readonly Change[]): readonly SlotTake[] =>
  changes.flatMap((change, index) => {
    if (change.told.length === 0) return []
    const later = changes.slice(index).flatMap((other) => slotsOf(other).releases)
    // One that comes free by itself is nobody's place.
    return slotsOf(change).takes.filter(
      ({ key, holder, expiresAt }) =>
        expiresAt === null && !later.some((given) => given.key === key && given.holder === holder),
    )
  })

/** Steps that a write changes without telling of it. */
export const renewedBy = ({ puts, told }: Change): readonly string[] =>
  told.length > 0 ? [] : puts.flatMap(({ map, key }) => (map === 'invocations' ? [key] : []))

/** Runs that a write begins. */
export const begunBy = ({ told }: Change): readonly string[] =>
  told.flatMap(({ drafts }) =>
    drafts.flatMap(({ runId, body }) => (body.type === 'run.created' && runId !== null ? [runId] : [])),
  )

/** Who gets permits by a write that tells of nothing else. */
export const takenAlone = ({ puts, told }: Change): readonly string[] =>
  told.length > 0
    ? []
    : puts.flatMap(({ map, value }) =>
        map === 'slots' && value !== undefined ? [(value as SlotTake).holder] : [],
      )

/** The events as they are packed for the epoch. */
export const toldOf = ({ parts }: Unit, epoch: number): readonly Told[] =>
  parts.map(({ runId: of, text }) => {
    const { group, drafts } = unpackEvents(text, { epoch, runId: of === '' ? null : runId(of) })
    const { opId, actor, at } = group
    return { origin: { opId, actor, at }, drafts }
  })
