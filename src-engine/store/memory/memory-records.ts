/** What a memory store holds: one plain collection per kind of record. */

import type { AttemptRecord } from '../../model/attempt.ts'
import type { DeadLetter, OutboxRecord, Register, SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import type { EngineEvent, EventDraft } from '../../model/event.ts'
import { packEvents } from '../../model/event-codec.ts'
import type { DefinitionHash, InvocationId, OpId, RunId, RunnerId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { PackedGroup } from '../../model/packed-group.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import { countsAt } from '../claim.ts'
import type { ChainHead, EventOrigin } from '../event-chain.ts'
import { chainGroup, emptyChain, partsByRun } from '../event-chain.ts'
import type { LastOps } from '../last-ops.ts'
import { createLastOps } from '../last-ops.ts'
import type { TakeAnswer } from '../raw-store.ts'

/** Everything that one partition of a memory store holds. */
export interface Records {
  head: ChainHead
  /** Whether only sealed values are taken. */
  isSealed: boolean
  readonly events: EngineEvent[]
  /** The same events as they are handed on: those of one run in one checkpoint together. */
  readonly groups: PackedGroup[]
  readonly opIds: Set<OpId>
  readonly lastOps: LastOps
  readonly runs: Map<RunId, RunRecord>
  readonly invocations: Map<InvocationId, InvocationRecord>
  readonly attempts: Map<string, AttemptRecord>
  readonly workflowVersions: Map<DefinitionHash, WorkflowVersion>
  readonly registers: Map<string, Register>
  /** Of those that come due. */
  readonly registerDue: Map<string, Instant>
  readonly slots: Map<string, SlotTake>
  readonly outbox: Map<string, OutboxRecord>
  readonly deadLetters: Map<string, DeadLetter>
  readonly runners: Map<RunnerId, RunnerRecord>
}

/** A partition that holds nothing yet. */
export function noRecords(partition: number): Records {
  return {
    head: emptyChain(partition, 1),
    isSealed: false,
    events: [],
    groups: [],
    opIds: new Set(),
    lastOps: createLastOps(),
    runs: new Map(),
    invocations: new Map(),
    attempts: new Map(),
    workflowVersions: new Map(),
    registers: new Map(),
    registerDue: new Map(),
    slots: new Map(),
    outbox: new Map(),
    deadLetters: new Map(),
    runners: new Map(),
  }
}

/** Tells of what one checkpoint did, behind all that was told before. */
export function appendEvents(
  records: Records,
  { opId, actor, at }: EventOrigin,
  drafts: readonly EventDraft[],
): void {
  records.opIds.add(opId)
  for (const part of partsByRun(drafts)) {
    const { partition, epoch, seq } = records.head
    const runId = part[0]?.runId ?? null
    const group = { epoch, runId, at, opId, actor }
    const events = chainGroup(records.head, { group, drafts: part })
    records.events.push(...events)
    const place = { partition, epoch, seq: seq + 1, count: part.length, runId }
    records.groups.push({ ...place, text: packEvents(group, part), only: null, drafts: () => part })
    records.head = events.at(-1) ?? records.head
  }
}

/** A permit's place among the slots. */
export const slotKey = (key: string, holder: string): string => JSON.stringify([key, holder])

/** Writes a taken permit; those of its key that have expired make way. */
export function takeSlot(records: Records, slot: SlotTake, at: Instant): void {
  for (const held of holdersOf(records, slot.key)) {
    if (!countsAt(held, at)) records.slots.delete(slotKey(held.key, held.holder))
  }
  records.slots.set(slotKey(slot.key, slot.holder), slot)
}

/** Gives a permit back, unless others than those that are meant have taken it as well. */
export function giveSlot({ slots }: Records, { key, holder, by }: SlotRelease): void {
  const place = slotKey(key, holder)
  const slot = slots.get(place)
  if (slot === undefined) return
  const gone = new Set((by ?? nobody).split(','))
  const left = by === undefined ? [] : namesOf(slot).filter((name) => !gone.has(name))
  if (left.length === 0) slots.delete(place)
  else slots.set(place, namedBy(slot, left))
}

/** Stands among the names of those who took a permit for who has none. */
const nobody = '-'

const namesOf = ({ by = nobody }: SlotTake): readonly string[] => by.split(',')

function namedBy({ key, holder, limit, expiresAt }: SlotTake, names: readonly string[]): SlotTake {
  const by = names.join(',')
  return { key, holder, limit, expiresAt, ...(by === nobody ? {} : { by }) }
}

/** Who holds permits of a key, in order of taking. */
export const holdersOf = (records: Records, key: string): readonly SlotTake[] =>
  [...records.slots.values()].filter((slot) => slot.key === key)

/** Takes permits for holders elsewhere: all, or none. */
export function takeSlots(
  records: Records,
  { takes, at }: { readonly takes: readonly SlotTake[]; readonly at: Instant },
): TakeAnswer {
  const fresh: SlotTake[] = []
  const held: SlotTake[] = []
  for (const slot of takes) {
    const holders = [...holdersOf(records, slot.key).filter((held) => countsAt(held, at)), ...fresh]
      .filter(({ key }) => key === slot.key)
      .map(({ holder }) => holder)
    if (holders.includes(slot.holder)) {
      const before = records.slots.get(slotKey(slot.key, slot.holder))
      if (before !== undefined) held.push(takenBy(before, slot.by))
      continue
    }
    if (holders.length >= slot.limit) return { kind: 'slot-taken', key: slot.key, holders }
    fresh.push(slot)
  }
  for (const slot of fresh) takeSlot(records, slot, at)
  for (const slot of held) records.slots.set(slotKey(slot.key, slot.holder), slot)
  return { kind: 'taken', fresh }
}

function takenBy(slot: SlotTake, by: string | undefined): SlotTake {
  const names = namesOf(slot)
  return by === undefined || names.includes(by) ? slot : namedBy(slot, [...names, by])
}
