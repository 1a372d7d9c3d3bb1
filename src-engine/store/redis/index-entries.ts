/** Where a record stands in the indexes: a change of the record is the difference of two such lists. */

import type { InvocationRecord } from '../../model/invocation.ts'
import { priorityRank } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import { awaitedSignalOf, blockedKeyOf, blockedKeyOfRun, blockedSince } from '../blocked.ts'
import { availableAt } from '../claim.ts'
import { dueOfInvocation, dueOfRun } from '../due.ts'
import type { News } from '../hints.ts'
import { news, noNews } from '../hints.ts'
import { namedBy } from '../prunable.ts'
import type { DueItem } from '../store.ts'
import type { PartitionKeys } from './layout.ts'
import { keyNames } from './layout.ts'
import type { PartitionState } from './partition-state.ts'
import { sameTexts, shapeOf } from './shapes.ts'
import type { Op } from './unit.ts'

/** A place in an index: a member of a sorted set, one of a line, or one more in a count. */
interface Entry {
  readonly kind: 'sorted' | 'line' | 'count'
  readonly name: string
  readonly member: string
  /** By which it is sorted; 1 for a count. */
  readonly score: number
  /** The key that a line is for, with its kind in front. */
  readonly line?: string
  /** What it is news of that something stands there. */
  readonly found?: News
}

const sorted = (name: string, member: string, score: number): Entry => ({
  kind: 'sorted',
  name,
  member,
  score,
})
const newsworthy = (entry: Entry, found: News): Entry => ({ ...entry, found })
const counted = (name: string, member: string): Entry => ({ kind: 'count', name, member, score: 1 })

/** More than any instant, so that priorities come before instants. */
const perRank = 1e14

const dueEntry = (kind: DueItem['kind'], member: string, dueAt: Instant): Entry =>
  newsworthy(sorted(keyNames.due(kind), member, dueAt), news.due)

function lineEntry(kind: 'i' | 'r', key: string, record: InvocationRecord | RunRecord): Entry {
  const score = priorityRank[record.priority] * perRank + blockedSince(record)
  return { kind: 'line', name: keyNames.line(kind, key), member: record.id, score, line: kind + key }
}

/** Waits, as `workCounts` counts it. */
const isWaiting = ({ status }: InvocationRecord): boolean =>
  invocationMachine.available.has(status) || status === 'CONCURRENCY_CONTROLLED'

function entriesOfInvocation(record: InvocationRecord): readonly Entry[] {
  const { id, status, registeredAt, lease, route } = record
  if (invocationMachine.final.has(status)) return []
  // What is owned is found by its lease.
  const entries = lease === null ? [sorted(keyNames.work(status), id, registeredAt)] : []
  if (invocationMachine.available.has(status)) {
    entries.push(newsworthy(sorted(keyNames.queue(shapeOf(record).id), id, availableAt(record)), news.work))
    const until = route?.preferredUntil ?? null
    if (record.notBefore !== null)
      entries.push(newsworthy(sorted(keyNames.soon, id, record.notBefore), news.due))
    if (until !== null) entries.push(newsworthy(sorted(keyNames.soon, `${id} p`, until), news.due))
  }
  for (const { kind, dueAt } of dueOfInvocation(record)) entries.push(dueEntry(kind, id, dueAt))
  const blockedBy = blockedKeyOf(record)
  if (blockedBy !== null) entries.push(lineEntry('i', blockedBy, record))
  const signal = awaitedSignalOf(record)
  if (signal !== null) entries.push(sorted(keyNames.signal(signal), id, registeredAt))
  if (lease !== null || isWaiting(record)) {
    entries.push(counted(keyNames.workCounts, workCountOf(record)))
  }
  return entries
}

/** Which work it counts among, and what the last one that waited, and the last that was owned, did: mostly the next one's. */
interface Counted {
  readonly runnerId: string | null
  readonly pools: readonly string[]
  readonly text: string
}

const lastCounted: { waiting: Counted | null; owned: Counted | null } = { waiting: null, owned: null }

function workCountOf({ lease, route, pool }: InvocationRecord): string {
  const place = lease === null ? 'waiting' : 'owned'
  const last = lastCounted[place]
  const runnerId = lease?.runnerId ?? null
  if (last !== null && last.runnerId === runnerId) {
    const isSame =
      route === null ? last.pools.length === 1 && last.pools[0] === pool : sameTexts(last.pools, route.pools)
    if (isSame) return last.text
  }
  const pools = route?.pools ?? [pool]
  const text = JSON.stringify([runnerId, pools])
  lastCounted[place] = { runnerId, pools, text }
  return text
}

function entriesOfRun(run: RunRecord): readonly Entry[] {
  const entries = [counted(keyNames.runCounts, `${run.status} ${run.workflowId}`)]
  if (runMachine.final.has(run.status)) {
    entries.push(sorted(keyNames.ended, run.id, run.finishedAt ?? 0))
    return entries
  }
  for (const { kind, dueAt } of dueOfRun(run)) entries.push(dueEntry(kind, run.id, dueAt))
  const blockedBy = blockedKeyOfRun(run)
  if (blockedBy !== null) entries.push(lineEntry('r', blockedBy, run))
  for (const id of namedBy(run)) entries.push(counted(keyNames.named, id))
  return entries
}

/** Where the writes of a move go. */
export interface Moves {
  readonly state: Pick<PartitionState, 'keys'>
  readonly ops: Op[]
}

/** Adds the writes that take an invocation's entries from one form of it to the next; null for none. */
export const moveInvocation = (
  moves: Moves,
  before: InvocationRecord | null,
  after: InvocationRecord | null,
): News =>
  move(
    moves,
    before === null ? [] : entriesOfInvocation(before),
    after === null ? [] : entriesOfInvocation(after),
  )

/** The same for a run. */
export const moveRun = (moves: Moves, before: RunRecord | null, after: RunRecord | null): News =>
  move(moves, before === null ? [] : entriesOfRun(before), after === null ? [] : entriesOfRun(after))

function move({ state, ops }: Moves, before: readonly Entry[], after: readonly Entry[]): News {
  const { keys } = state
  let found = noNews
  for (const entry of before)
    if (!after.some((other) => samePlace(entry, other))) ops.push(leave(keys, entry))
  for (const entry of after) {
    const old = before.find((other) => samePlace(entry, other))
    if (old?.score === entry.score) continue
    ops.push(enter(keys, entry))
    found |= entry.found ?? noNews
  }
  return found
}

const samePlace = (a: Entry, b: Entry): boolean => a.name === b.name && a.member === b.member

function enter(keys: PartitionKeys, { kind, name, member, score, line }: Entry): Op {
  const key = keys.of(name)
  if (kind === 'count') return { code: 'c', key, args: [member, 1] }
  if (kind === 'line')
    return { code: 'w', key, keys: [keys.of(keyNames.lines)], args: [score, member, line ?? ''] }
  return { code: 'z', key, args: [score, member] }
}

function leave(keys: PartitionKeys, { kind, name, member, line }: Entry): Op {
  const key = keys.of(name)
  if (kind === 'count') return { code: 'c', key, args: [member, -1] }
  if (kind === 'line') return { code: 'v', key, keys: [keys.of(keyNames.lines)], args: [member, line ?? ''] }
  return { code: 'r', key, args: [member] }
}
