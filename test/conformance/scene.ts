/** A fresh store for every test, and the checks that hold whatever a test did. */

import { afterEach, beforeEach, expect } from 'vitest'
import type { Checkpoint, CommitAnswer } from '../../src-engine/model/checkpoint.ts'
import type { EngineEvent, PartitionCursor } from '../../src-engine/model/event.ts'
import type { InvocationId, RunId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { WireGroup } from '../../src-engine/model/packed-group.ts'
import { eventsOfWire, wireText } from '../../src-engine/model/packed-group.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { verifyChain } from '../../src-engine/store/event-chain.ts'
import type { GroupPage, GroupQuery } from '../../src-engine/store/group-page.ts'
import type { Store } from '../../src-engine/store/store.ts'

/** One store implementation, as the suite sees it. */
export interface StoreSubject {
  readonly name: string
  /** Opens an empty store. `other` is a second way into the same data where there is one, else the same. */
  readonly open: () => Promise<OpenedStore>
}

export interface OpenedStore {
  readonly store: Store
  readonly other: Store
  /** Closes everything and opens the same data again; absent when data doesn't outlive the store. */
  readonly reopen?: () => Promise<Store>
  /** Lets another process's commits be noticed. */
  readonly poll: () => void | Promise<void>
  /** Closes and removes everything. */
  readonly dispose: () => Promise<void>
}

/** What a test works with. */
export interface Scene {
  store: Store
  other: Store
  opened: OpenedStore
}

/** Opens the subject before each test of the block; afterwards checks its history and closes it. */
export function useScene(subject: StoreSubject, mayPrune = false): Scene {
  // Filled before each test, so no test sees it empty.
  const scene = {} as Scene
  beforeEach(async () => {
    const opened = await subject.open()
    Object.assign(scene, { opened, store: opened.store, other: opened.other })
  })
  afterEach(async () => {
    try {
      await verifyHistory(scene.store, mayPrune)
    } finally {
      await scene.opened.dispose()
    }
  })
  return scene
}

/** Commits one checkpoint and gives its answer. */
export async function commit(store: Store, checkpoint: Checkpoint): Promise<CommitAnswer> {
  const [answer] = await store.commit(0, [checkpoint])
  if (answer === undefined) throw new Error('A store answers every checkpoint.')
  return answer
}

/** Commits checkpoints that must all be accepted. */
export async function accept(store: Store, ...checkpoints: readonly Checkpoint[]): Promise<void> {
  const answers = await store.commit(0, checkpoints)
  for (const answer of answers) expect(answer).toEqual({ kind: 'accepted' })
}

/** Commits a checkpoint that must be refused, and gives the reason. */
export async function refuse(store: Store, checkpoint: Checkpoint) {
  const answer = await commit(store, checkpoint)
  if (answer.kind !== 'refused') throw new Error(`Expected a refusal, found ${JSON.stringify(answer)}`)
  return answer.refusal
}

export async function theInvocation(store: Store, id: InvocationId): Promise<InvocationRecord> {
  const record = await store.load(0, 'invocation', { invocationId: id })
  if (record === null) throw new Error(`${id} should exist.`)
  return record
}

export async function theRun(store: Store, id: RunId): Promise<RunRecord> {
  const record = await store.load(0, 'run', { runId: id })
  if (record === null) throw new Error(`${id} should exist.`)
  return record
}

/** All events of a partition, read page by page. */
export async function allEvents(
  store: Store,
  { pageSize = 1_000, partition = 0 } = {},
): Promise<readonly EngineEvent[]> {
  const events: EngineEvent[] = []
  for (;;) {
    const last = events.at(-1)
    const after = { partition, epoch: last?.epoch ?? 0, seq: last?.seq ?? 0 }
    const page = await store.readEvents({ after, runId: null, until: null, limit: pageSize })
    if (page.length === 0) return events
    events.push(...page)
  }
}

/** All events of all partitions, one partition after the other. */
export async function everyEvent(store: Store): Promise<readonly EngineEvent[]> {
  const { partitions } = store.info
  return (await Promise.all(partitions.map((partition) => allEvents(store, { partition })))).flat()
}

/** Events as groups tell them: hashes aren't part of them. */
export const bare = (events: readonly EngineEvent[]): readonly EngineEvent[] =>
  events.map((event) => ({ ...event, hash: '', prevHash: '' }))

/** One page of groups; a store of the product has them. */
export async function groupPage(
  store: Store,
  query: Omit<GroupQuery, 'runId'> & Partial<Pick<GroupQuery, 'runId'>>,
): Promise<GroupPage> {
  const page = await store.readGroups?.({ runId: null, ...query })
  if (page === null || page === undefined) throw new Error('The store has no groups.')
  return page
}

/** All events from a place on, in groups and page by page, as a client has them at the far end of a channel. */
export async function groupsFrom(
  store: Store,
  start: PartitionCursor,
  { limit = 1_000, runId = null }: { readonly limit?: number; readonly runId?: RunId | null } = {},
): Promise<readonly EngineEvent[]> {
  const events: EngineEvent[] = []
  let after = start
  for (;;) {
    const { groups, end, isFull } = await groupPage(store, { after, limit, runId })
    const told = groups.map((group) => JSON.parse(wireText(group)) as WireGroup)
    events.push(...eventsOfWire(told))
    if (!isFull) return events
    after = end
  }
}

/** The chain is unbroken, the groups say the same, and the events of each run alone yield its records, forwards and back. */
export async function verifyHistory(store: Store, pruned = false): Promise<void> {
  for (const partition of store.info.partitions) await verifyPartition(store, partition, pruned)
}

async function verifyPartition(store: Store, partition: number, pruned: boolean): Promise<void> {
  const events = await allEvents(store, { partition })
  // A gap is allowed where something was removed, and nowhere else.
  expect(verifyChain(events, pruned, store.info.chain)).toBeNull()
  expect(await groupsFrom(store, { partition, epoch: 0, seq: 0 })).toEqual(bare(events))
  const ids = new Set(events.map(({ runId }) => runId).filter((id) => id !== null))
  for (const id of ids) {
    const own = events.filter(({ runId }) => runId === id)
    const state = replayRun(own)
    expect(state.run).toEqual(await store.load(0, 'run', { runId: id }))
    const loaded = await store.load(0, 'invocations', { runId: id })
    expect([...state.invocations.values()].map(withoutExpiry)).toEqual(loaded.map(withoutExpiry))
    expect(byAttempt(state.attempts)).toEqual(
      byAttempt(await store.load(0, 'attempts', { runId: id, invocationId: null })),
    )
  }
}

/** A renewal moves the expiry without an event, so it isn't part of the history. */
const withoutExpiry = (record: InvocationRecord): unknown =>
  record.lease === null ? record : { ...record, lease: { ...record.lease, expiresAt: 0 } }

const byAttempt = (attempts: readonly { readonly invocationId: string; readonly number: number }[]) =>
  attempts.toSorted((a, b) =>
    a.invocationId === b.invocationId ? a.number - b.number : a.invocationId < b.invocationId ? -1 : 1,
  )
