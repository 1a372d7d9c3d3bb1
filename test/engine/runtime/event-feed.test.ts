/** Following: each event once and in order, whatever form it is handed on in, and no more looks than frames. */

import { expect, onTestFinished, test } from 'vitest'
import type { Cursor, EngineEvent } from '../../../src-engine/model/event.ts'
import { eventFrameMs } from '../../../src-engine/model/limits.ts'
import type { FeedItem, WireGroup } from '../../../src-engine/model/packed-group.ts'
import { eventsOfWire, isGroup, wireText } from '../../../src-engine/model/packed-group.ts'
import { touchesOverview } from '../../../src-engine/protocol/notices.ts'
import type { FeedRequest } from '../../../src-engine/runtime/event-feed.ts'
import { followEvents } from '../../../src-engine/runtime/event-feed.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { accept } from '../../conformance/scene.ts'
import { sqliteOptions } from '../../conformance/stores.ts'
import { anInvocation, aRun, start, starting } from '../../conformance/story.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { everyEvent } from '../../support/read-events.ts'
import { fakeClock, silentLog } from '../shell/shell-fixtures.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
async function settle(): Promise<void> {
  for (let count = 0; count < 4; count += 1) await turn()
}

/** The events of what was handed on, as they arrive. */
const arrived = (items: readonly FeedItem[]): readonly EngineEvent[] =>
  items.flatMap((item) =>
    isGroup(item)
      ? eventsOfWire([JSON.parse(wireText(item)) as WireGroup])
      : [{ ...item, hash: '', prevHash: '' }],
  )

const bare = (events: readonly EngineEvent[]): readonly EngineEvent[] =>
  events.map((event) => ({ ...event, hash: '', prevHash: '' }))

interface Followed {
  readonly seen: EngineEvent[]
  readonly calls: { readonly items: number; readonly cursor: Cursor }[]
  readonly stop: () => void
}

async function setUp(given?: Store) {
  const store = given ?? (await openSqliteStore(sqliteOptions(':memory:').options))
  onTestFinished(() => store.close())
  const clock = fakeClock()
  let looks = 0
  const counted: Store = {
    ...store,
    readGroups: (query) => {
      looks += 1
      return store.readGroups?.(query) ?? Promise.resolve(null)
    },
  }
  const follow = (request: Partial<Extract<FeedRequest, { form: 'packed' }>> = {}): Followed => {
    const followed = { seen: [] as EngineEvent[], calls: [] as Followed['calls'] }
    const stop = followEvents(
      { store: counted, clock, log: silentLog },
      {
        ...{ runId: null, cursor: null, form: 'packed', ...request },
        receive: (items: readonly FeedItem[], cursor) => {
          followed.seen.push(...arrived(items))
          followed.calls.push({ items: items.length, cursor })
        },
      },
    )
    onTestFinished(stop)
    return { ...followed, stop }
  }
  return { store, clock, follow, looks: () => looks }
}

let runs = 0
const begin = (store: Store, steps = 1) => {
  const run = aRun({ name: `feed${runs++}` })
  const names = Array.from({ length: steps }, (_, index) => anInvocation(run, `n${index}`))
  return accept(store, starting(run, names)).then(() => run)
}

test.for(['sqlite', 'memory'])('what is handed on is what was committed, on %s', async (kind) => {
  const given = kind === 'memory' ? createMemoryStore({ now: () => start }) : undefined
  const { store, follow } = await setUp(given)
  await begin(store, 3)
  const all = follow()
  await settle()
  for (let count = 0; count < 5; count += 1) await begin(store)
  await settle()
  expect(all.seen).toEqual(bare(await everyEvent(store)))
  expect(all.calls.at(-1)?.cursor).toEqual([await store.load(0, 'feedEnd', {})])
})

test('however often something is committed, it is looked for once in a frame', async () => {
  const { store, clock, follow, looks } = await setUp()
  const paced = follow({ paceMs: () => eventFrameMs })
  await settle()
  const before = looks()
  for (let frame = 0; frame < 5; frame += 1) {
    for (let count = 0; count < 10; count += 1) {
      await begin(store)
      clock.advance(1)
    }
    clock.advance(6)
    await settle()
  }
  expect(looks() - before).toBe(5)
  expect(paced.seen).toEqual(bare(await everyEvent(store)))
})

test('after a quiet while the first news comes at once', async () => {
  const { store, clock, follow } = await setUp()
  const paced = follow({ paceMs: () => eventFrameMs })
  await settle()
  clock.advance(1_000)
  await begin(store)
  await settle()
  expect(paced.seen).toHaveLength(3)
})

test('one that stops in the middle of a frame hears nothing any more', async () => {
  const { store, clock, follow } = await setUp()
  const paced = follow({ paceMs: () => eventFrameMs })
  await settle()
  await begin(store)
  paced.stop()
  clock.advance(100)
  await settle()
  expect(paced.seen).toEqual([])
})

test('of all that happens only what is wanted is told, and how far the rest has come', async () => {
  const { store, follow } = await setUp()
  const overview = follow({ wants: touchesOverview })
  const none = follow({ wants: () => false })
  await settle()
  for (let count = 0; count < 3; count += 1) await begin(store, 4)
  await settle()
  expect(overview.seen).toEqual(bare((await everyEvent(store)).filter(touchesOverview)))
  expect(overview.seen).toHaveLength(6)
  expect(none.seen).toEqual([])
  expect(none.calls.at(-1)?.cursor).toEqual([await store.load(0, 'feedEnd', {})])
})

test('a run is followed without the others, which don’t wake who follows it', async () => {
  const { store, follow } = await setUp()
  const run = await begin(store, 2)
  const one = follow({ runId: run.id })
  await settle()
  const { length } = one.calls
  for (let count = 0; count < 3; count += 1) await begin(store)
  await settle()
  expect(one.seen).toEqual(bare((await everyEvent(store)).filter(({ runId }) => runId === run.id)))
  expect(one.calls).toHaveLength(length)
})

test('going on from any cursor that was given loses nothing and repeats nothing', async () => {
  const { store, clock, follow } = await setUp()
  for (let seed = 1; seed <= 10; seed += 1) {
    const random = createRandomSource(`feed ${seed}`)
    const from: Cursor = [await store.load(0, 'feedEnd', {})]
    let cursor = from
    const seen: EngineEvent[] = []
    for (let life = 0; life < 6; life += 1) {
      const paceMs = random.below(2) * eventFrameMs
      const one = follow({ cursor, paceMs: () => paceMs })
      for (let step = 0; step < 8; step += 1) {
        await begin(store, 1 + random.below(4))
        if (random.below(2) === 0) clock.advance(random.below(30))
        if (random.below(2) === 0) await settle()
      }
      one.stop()
      cursor = one.calls.at(-1)?.cursor ?? cursor
      seen.push(...one.seen)
    }
    const rest = follow({ cursor })
    await settle()
    rest.stop()
    seen.push(...rest.seen)
    const wanted = (await everyEvent(store)).filter(({ seq }) => seq > (from[0]?.seq ?? 0))
    expect(seen, `seed ${seed}`).toEqual(bare(wanted))
  }
})

test('a store that fails for a moment is asked again', async () => {
  const store = await openSqliteStore(sqliteOptions(':memory:').options)
  let fails = 1
  const failing: Store = {
    ...store,
    readGroups: async (query) => {
      if (fails-- > 0) throw new Error('busy')
      return (await store.readGroups?.(query)) ?? null
    },
  }
  const { clock, follow } = await setUp(failing)
  await begin(store)
  const one = follow({ paceMs: () => eventFrameMs })
  await settle()
  expect(one.seen).toEqual([])
  clock.advance(250)
  await settle()
  expect(one.seen).toHaveLength(3)
})
