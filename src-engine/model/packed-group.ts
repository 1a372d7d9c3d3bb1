/**
 * The events of one run in one checkpoint as a store keeps them: their place and one packed text. Who only hands
 * events on need not read them, and who receives them reads a fifth of the text; their hashes are left to those who
 * check the chain, which they do on the store.
 */

import type { EngineEvent, EventChange, EventDraft, PartitionCursor } from './event.ts'
import { changesOfParsed, countParsed, unpackEvents, unpackParsed } from './event-codec.ts'
import type { RunId } from './ids.ts'

export interface PackedGroup {
  readonly partition: number
  readonly epoch: number
  /** The sequence of its first event; the others follow without a gap. */
  readonly seq: number
  readonly count: number
  readonly runId: RunId | null
  /** As `packEvents` made it. */
  readonly text: string
  /** The places of the events that are meant, from 0 on; null for all. */
  readonly only: readonly number[] | null
  /** Whether all of its events are usual ones (`isUsual`); absent where nobody looked. */
  readonly isUsual?: boolean
  /** What its events say, all of them. */
  readonly drafts: () => readonly EventDraft[]
}

/** What is handed on of a feed. */
export type FeedItem = EngineEvent | PackedGroup

export const isGroup = (item: FeedItem): item is PackedGroup => 'text' in item

/** A group as a message has it: place, run, the packed text as the JSON that it is, and which events are meant. */
export type WireGroup = readonly [
  partition: number,
  epoch: number,
  seq: number,
  runId: RunId | null,
  packed: readonly unknown[],
  only?: readonly number[],
]

/** The group as the JSON of a `WireGroup`. */
export function wireText({ partition, epoch, seq, runId, text, only }: PackedGroup): string {
  const meant = only === null ? '' : `,${JSON.stringify(only)}`
  return `[${partition},${epoch},${seq},${JSON.stringify(runId)},${text}${meant}]`
}

/** How many events of a message's group are meant; nothing of them is read. */
export const countOfWire = ([, , , , packed, only]: WireGroup): number => only?.length ?? countParsed(packed)

/** The events of a message's groups, without their hashes. */
export function eventsOfWire(groups: readonly WireGroup[]): EngineEvent[] {
  const events: EngineEvent[] = []
  for (const [partition, epoch, seq, runId, packed, only] of groups) {
    const { group, drafts } = unpackParsed(packed, { epoch, runId })
    const { at, opId, actor } = group
    for (const [index, draft] of drafts.entries()) {
      if (only !== undefined && !only.includes(index)) continue
      events.push({ partition, epoch, seq: seq + index, at, opId, actor, ...draft, prevHash: '', hash: '' })
    }
  }
  return events
}

/** What the events of a message's group change, one after the other: a good deal less than they say. */
export function changesOfWire([, epoch, , runId, packed, only]: WireGroup): EventChange[] {
  const changes: EventChange[] = []
  changesOfParsed(packed, { epoch, runId }, (change, index) => {
    if (only === undefined || only.includes(index)) changes.push(change)
  })
  return changes
}

/** A group that was read, whose events are unpacked when somebody asks. */
export function readGroup(read: Omit<PackedGroup, 'drafts'>): PackedGroup {
  let drafts: readonly EventDraft[] | null = null
  return { ...read, drafts: () => (drafts ??= unpackEvents(read.text, read).drafts) }
}

/** The events that are meant and wanted, as a group; null for none of them. */
export function narrowed(group: PackedGroup, wants: (draft: EventDraft) => boolean): PackedGroup | null {
  const drafts = group.drafts()
  const all = group.only ?? drafts.map((_, index) => index)
  const only = all.filter((index) => wants(drafts[index] as EventDraft))
  if (only.length === 0) return null
  return only.length === group.count ? group : { ...group, only }
}

/** What the events of an item say that are meant. */
export function draftsOf(item: FeedItem): readonly EventDraft[] {
  if (!isGroup(item)) return [item]
  const drafts = item.drafts()
  return item.only === null ? drafts : drafts.filter((_, index) => item.only?.includes(index))
}

/** How many events of an item are meant. */
export const countOf = (item: FeedItem): number => (isGroup(item) ? (item.only?.length ?? item.count) : 1)

/** The place after an item. */
export function placeAfter(item: FeedItem): PartitionCursor {
  const { partition, epoch, seq } = item
  return { partition, epoch, seq: isGroup(item) ? seq + item.count - 1 : seq }
}
