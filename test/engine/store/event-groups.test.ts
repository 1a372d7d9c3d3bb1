/** The feed in the groups that SQLite keeps: what was written just now comes from memory, all else from the data. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { EngineEvent, PartitionCursor } from '../../../src-engine/model/event.ts'
import { packEvents } from '../../../src-engine/model/event-codec.ts'
import { storeId } from '../../../src-engine/model/ids.ts'
import type { PackedGroup, WireGroup } from '../../../src-engine/model/packed-group.ts'
import { draftsOf, eventsOfWire, narrowed, wireText } from '../../../src-engine/model/packed-group.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { GroupPage } from '../../../src-engine/store/group-page.ts'
import { createBusyPauses } from '../../../src-engine/store/sqlite/busy-pauses.ts'
import { createStore } from '../../../src-engine/store/sqlite/create-store.ts'
import { createRecentGroups } from '../../../src-engine/store/sqlite/recent-groups.ts'
import { migrations } from '../../../src-engine/store/sqlite/schema.ts'
import { openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { accept, refuse } from '../../conformance/scene.ts'
import { sqliteOptions } from '../../conformance/stores.ts'
import { anInvocation, aRun, movingRun, registering, start, starting } from '../../conformance/story.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { everyEvent } from '../../support/read-events.ts'

const feedStart: PartitionCursor = { partition: 0, epoch: 0, seq: 0 }

async function groupsOf(store: Store, query: Partial<Parameters<NonNullable<Store['readGroups']>>[0]>) {
  const page = await store.readGroups?.({ after: feedStart, runId: null, limit: 1_000, ...query })
  if (page === null || page === undefined) throw new Error('The store has no groups.')
  return page
}

/** As a client has them at the far end of a channel. */
const received = (groups: readonly PackedGroup[]): readonly EngineEvent[] =>
  eventsOfWire(groups.map((group) => JSON.parse(wireText(group)) as WireGroup))

const bare = (events: readonly EngineEvent[]): readonly EngineEvent[] =>
  events.map((event) => ({ ...event, hash: '', prevHash: '' }))

/** A store whose statements are listened to. */
function listenedStore() {
  const executed: string[] = []
  const database = new Database(':memory:', { verbose: (sql) => executed.push(String(sql)) })
  for (const { sql } of migrations) database.exec(sql)
  const clock = { now: () => start, after: () => () => undefined }
  const store = createStore(database, {
    ...{ directory: ':memory:', file: ':memory:', storeId: storeId('s'), clock },
    ...{ cleanlyClosed: true, holder: 1 },
    pauses: createBusyPauses({ blockedMs: 0, timeoutMs: 0, clock, random: null }),
  })
  onTestFinished(() => store.close())
  return {
    store,
    readsRows: () => executed.splice(0).some((sql) => /from event_row e\s+left join/.test(sql)),
  }
}

/** Two stores on one file, as two processes have them. */
async function twoStores() {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-groups-'))
  const { options } = sqliteOptions(directory)
  const stores = [await openSqliteStore(options), await openSqliteStore(options)] as const
  onTestFinished(async () => {
    for (const store of stores) await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return stores
}

const runOf = (index: number) => aRun({ name: `r${index}` })
const begun = (run: RunRecord): RunRecord => ({ ...run, status: 'RUNNING', startedAt: start, version: 1 })

test('who asks again and again is given what was committed without a look at the data', async () => {
  const { store, readsRows } = listenedStore()
  await accept(store, starting(runOf(0)))
  let { end } = await groupsOf(store, {})
  expect(readsRows()).toBe(true)
  const seen: PackedGroup[] = []
  for (let index = 1; index < 20; index += 1) {
    await accept(store, starting(runOf(index), [anInvocation(runOf(index), 'n')]))
    const page = await groupsOf(store, { after: end })
    seen.push(...page.groups)
    end = page.end
  }
  // Quiet moments cost no look either.
  expect((await groupsOf(store, { after: end })).groups).toEqual([])
  expect(readsRows()).toBe(false)
  expect(received(seen)).toEqual(bare((await everyEvent(store)).slice(2)))
})

test('nothing is kept for nobody: after a while without a question the data is read', async () => {
  const { store, readsRows } = listenedStore()
  const { end } = await groupsOf(store, {})
  await accept(store, starting(runOf(0)))
  const more = Array.from({ length: 4_200 }, (_, index) => runOf(1 + index))
  await accept(store, ...more.map((run) => starting(run)))
  readsRows()
  await groupsOf(store, { after: end, limit: 10 })
  expect(readsRows()).toBe(true)
})

test('what was undone is never handed on', async () => {
  const { store } = listenedStore()
  const { end } = await groupsOf(store, {})
  await accept(store, starting(runOf(0)))
  await refuse(store, starting(runOf(0)))
  expect((await groupsOf(store, { after: end })).groups).toHaveLength(1)
})

test('events of a run that was removed are gone from memory too', async () => {
  const { store } = listenedStore()
  const { end } = await groupsOf(store, {})
  await accept(store, starting(runOf(0)), movingRun(begun(runOf(0)), 'CANCELLED'), starting(runOf(1)))
  await store.prune({ partition: 0, endedBefore: null, keep: 0, blobsBefore: null, limit: 10 })
  const { groups } = await groupsOf(store, { after: end })
  expect(groups.map(({ runId }) => runId)).toEqual([runOf(1).id])
})

test('the place of a quiet run goes on with the feed, so that it is never looked for in the data', async () => {
  const { store, readsRows } = listenedStore()
  await accept(store, starting(runOf(0)), starting(runOf(1)))
  const { end } = await groupsOf(store, { runId: runOf(0).id })
  expect(end.seq).toBe(4)
  readsRows()
  await accept(store, ...[2, 3, 4].map((index) => starting(runOf(index))))
  const page = await groupsOf(store, { runId: runOf(0).id, after: end })
  expect(page).toEqual({ groups: [], end: { partition: 0, epoch: 1, seq: 10 }, isFull: false })
  expect(readsRows()).toBe(false)
})

test('a place in the middle of a checkpoint is gone on from, in memory and on the disk', async () => {
  for (const isKept of [true, false]) {
    const { store } = listenedStore()
    if (isKept) await groupsOf(store, {})
    const run = runOf(0)
    await accept(
      store,
      starting(
        run,
        ['a', 'b', 'c'].map((name) => anInvocation(run, name)),
      ),
    )
    const all = bare(await everyEvent(store))
    expect(all).toHaveLength(5)
    for (let seq = 0; seq <= all.length; seq += 1) {
      const { groups } = await groupsOf(store, { after: { partition: 0, epoch: 1, seq } })
      expect(received(groups)).toEqual(all.slice(seq))
      expect(groups.flatMap(draftsOf)).toHaveLength(all.length - seq)
    }
  }
})

test('of a group only what is wanted is told', async () => {
  const { store } = listenedStore()
  const run = runOf(0)
  await accept(
    store,
    starting(
      run,
      ['a', 'b'].map((name) => anInvocation(run, name)),
    ),
  )
  const [group] = (await groupsOf(store, {})).groups
  if (group === undefined) throw new Error('There is a group.')
  const steps = narrowed(group, ({ body }) => body.type === 'invocation.registered')
  expect(steps && received([steps]).map(({ seq }) => seq)).toEqual([3, 4])
  expect(narrowed(group, () => true)).toBe(group)
  expect(narrowed(group, () => false)).toBeNull()
})

test('pages of two processes’ feed have each event once and in order, whoever writes and whoever asks', async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = createRandomSource(`groups ${seed}`)
    const stores = await twoStores()
    const followers = stores.map((store) => ({ store, after: feedStart, seen: [] as EngineEvent[] }))
    const read = async (follower: (typeof followers)[number]): Promise<GroupPage> => {
      const page = await groupsOf(follower.store, { after: follower.after, limit: 1 + random.below(12) })
      follower.after = page.end
      follower.seen.push(...received(page.groups))
      return page
    }
    for (let step = 0, runs = 0; step < 60; step += 1) {
      const store = stores[random.below(2)] ?? stores[0]
      const run = runOf(runs)
      if (random.below(3) > 0) {
        await accept(store, starting(run, random.below(2) === 0 ? [] : [anInvocation(run, 'n')]))
        if (random.below(2) === 0) await accept(store, registering(begun(run), [anInvocation(run, 'later')]))
        runs += 1
      }
      const follower = followers[random.below(2)]
      if (follower !== undefined && random.below(3) > 0) await read(follower)
    }
    const all = bare(await everyEvent(stores[0]))
    for (const follower of followers) {
      while ((await read(follower)).isFull);
      expect(follower.seen, `seed ${seed}`).toEqual(all)
    }
  }
})

test('memory has a bound, and what is beyond it is read from the data', () => {
  const recent = createRecentGroups()
  const group = (position: number, text: string) => ({
    position,
    group: { partition: 0, epoch: 1, seq: position, count: 1, runId: null, text, only: null },
  })
  expect(recent.from(1, 0)).toEqual([])
  for (let position = 1; position <= 40; position += 1) {
    recent.add(group(position, 'x'.repeat(1_000_000)), [])
    recent.from(position, position)
  }
  const kept = Array.from({ length: 40 }, (_, index) => recent.from(40 - index, 40)).findLast(
    (found) => found !== null,
  )
  expect(kept?.length).toBeLessThanOrEqual(16)
  expect(recent.from(1, 40)).toBeNull()
  // A hole in what it was told of makes all before it doubtful.
  recent.add(group(42, 'x'), [])
  expect(recent.from(40, 42)).toBeNull()
  expect(recent.from(42, 42)).toHaveLength(1)
  // Somebody else wrote after what it knows.
  expect(recent.from(42, 43)).toBeNull()
})

test('of what is kept nothing holds the records that were written; what is usual is known without them', () => {
  const recent = createRecentGroups()
  recent.from(1, 0)
  const run = runOf(0)
  const shared = { partition: 0, epoch: 1, runId: run.id }
  const { opId, actor, at, events } = starting(run, [anInvocation(run, 'n'), anInvocation(run, 'm')])
  const written = [events.slice(0, 2), events.slice(2)]
  for (const [index, drafts] of written.entries()) {
    const text = packEvents({ ...shared, at, opId, actor }, drafts)
    const position = 2 * index + 1
    recent.add({ position, group: { ...shared, seq: position, count: 2, text, only: null } }, drafts)
  }
  const groups = recent.from(1, 4)?.map(({ group }) => group) ?? []
  expect(groups.map(({ isUsual }) => isUsual)).toEqual([false, true])
  const read = groups.map((group) => group.drafts())
  expect(read).toEqual(written)
  expect(read.flat().filter((draft) => written.flat().includes(draft))).toEqual([])
})
