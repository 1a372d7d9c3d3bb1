import { expect, test } from 'vitest'
import type { EngineEvent } from '../../../src-engine/model/event.ts'
import { packEvents } from '../../../src-engine/model/event-codec.ts'
import { opId, runId } from '../../../src-engine/model/ids.ts'
import {
  bustleFrameMs,
  connectionPendingMax,
  eventBatchMax,
  eventFrameMs,
  messageEventsMax,
  overviewPlaceMs,
} from '../../../src-engine/model/limits.ts'
import type { PackedGroup } from '../../../src-engine/model/packed-group.ts'
import { eventsOfWire, readGroup } from '../../../src-engine/model/packed-group.ts'
import type { EngineFrame } from '../../../src-engine/protocol/frames.ts'
import { openSubscription } from '../../../src-engine/shell/subscription.ts'
import { eventsFrom, fakeClock, fakeFeed } from './shell-fixtures.ts'

const subscribe = {
  type: 'subscribe',
  id: 7,
  topic: { kind: 'run', runId: runId('r1') },
  cursor: null,
} as const

function setUp(request: Parameters<typeof openSubscription>[1] = subscribe, readsGroups = false) {
  const clock = fakeClock()
  const feed = fakeFeed()
  const frames: EngineFrame[] = []
  let pending = 0
  let ends = 0
  const stop = openSubscription(
    {
      engine: feed.engine,
      clock,
      sendText: (text) => frames.push(JSON.parse(text) as EngineFrame),
      isReady: () => pending <= connectionPendingMax,
      readsGroups,
      onEnd: () => {
        ends += 1
      },
    },
    request,
  )
  const seqs = () =>
    frames.flatMap((frame) => (frame.type === 'events' ? frame.events.map(({ seq }) => seq) : []))
  return {
    clock,
    feed,
    frames,
    stop,
    seqs,
    setPending: (value: number) => (pending = value),
    ends: () => ends,
  }
}

const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

test('it begins with the snapshot and goes on right after it', async () => {
  const { feed, frames } = setUp()
  await settle()
  expect(frames).toMatchObject([{ type: 'snapshot', id: 7, cursor: [{ partition: 0, epoch: 1, seq: 3 }] }])
  expect(feed.followedFrom).toEqual([[{ partition: 0, epoch: 1, seq: 3 }]])
})

test('events that come within a frame are one message', async () => {
  const { clock, feed, frames, seqs } = setUp()
  await settle()
  feed.push(eventsFrom(4, 4))
  feed.push(eventsFrom(5, 6))
  feed.push(eventsFrom(7, 7))
  expect(frames.filter(({ type }) => type === 'events')).toHaveLength(1)
  clock.advance(15)
  expect(seqs()).toEqual([4])
  clock.advance(1)
  expect(frames.filter(({ type }) => type === 'events')).toHaveLength(2)
  expect(seqs()).toEqual([4, 5, 6, 7])
})

test('a message has at most so many events, and its cursor is the place after them', async () => {
  const { clock, feed, frames } = setUp()
  await settle()
  feed.push(eventsFrom(4, messageEventsMax + 13))
  clock.advance(100)
  const batches = frames.filter((frame) => frame.type === 'events')
  expect(batches.map(({ events }) => events.length)).toEqual([messageEventsMax, 10])
  expect(batches[0]?.cursor).toEqual([{ partition: 0, epoch: 1, seq: messageEventsMax + 3 }])
})

test('a slow reader makes it stop following, and it continues where the reader is', async () => {
  const { clock, feed, seqs, setPending } = setUp()
  await settle()
  setPending(connectionPendingMax + 1)
  const batches = 10
  for (let batch = 0; batch < batches; batch += 1) {
    feed.push(eventsFrom(4 + batch * eventBatchMax, 3 + (batch + 1) * eventBatchMax))
  }
  expect(feed.isFollowed()).toBe(false)
  expect(seqs()).toEqual([])
  setPending(0)
  clock.advance(1_000)
  expect(seqs()).toEqual(Array.from({ length: batches * eventBatchMax }, (_, index) => index + 4))
  expect(feed.followedFrom.at(-1)).toEqual([{ partition: 0, epoch: 1, seq: batches * eventBatchMax + 3 }])
  expect(feed.isFollowed()).toBe(true)
})

test('it goes on following while less than a message waits, so that what comes next fills one', async () => {
  const { clock, feed, frames, seqs, setPending } = setUp()
  await settle()
  setPending(connectionPendingMax + 1)
  const batches = 10
  for (let batch = 0; batch < batches; batch += 1)
    feed.push(eventsFrom(4 + batch * eventBatchMax, 3 + (batch + 1) * eventBatchMax))
  const followed = feed.followedFrom.length
  setPending(0)
  const full = Math.floor((batches * eventBatchMax) / messageEventsMax)
  for (let message = 1; message < full; message += 1) clock.advance(eventFrameMs)
  expect([seqs().length, feed.isFollowed()]).toEqual([(full - 1) * messageEventsMax, false])
  clock.advance(eventFrameMs)
  // Some wait still, and following goes on behind them.
  expect([seqs().length, feed.isFollowed()]).toEqual([full * messageEventsMax, true])
  expect(feed.followedFrom.slice(followed)).toEqual([at(3 + batches * eventBatchMax)])
  feed.push(eventsFrom(4 + batches * eventBatchMax, 3 + 2 * batches * eventBatchMax))
  clock.advance(10_000)
  const told = frames.flatMap((frame) => (frame.type === 'events' ? [frame.events.length] : []))
  expect(told.slice(0, -1)).toEqual(told.slice(0, -1).map(() => messageEventsMax))
  const all = 2 * batches * eventBatchMax
  expect(seqs()).toEqual(Array.from({ length: all }, (_, index) => index + 4))
})

test('while more happens than anybody can follow, a third as many messages tell it, and none of it is lost', async () => {
  const { clock, feed, frames, seqs } = setUp()
  await settle()
  /** So many in each millisecond, for so long. */
  const happen = (perMs: number, ms: number): number => {
    const before = frames.length
    for (let passed = 0; passed < ms; passed += 1) {
      const next = 4 + seqCount
      seqCount += perMs
      feed.push(eventsFrom(next, 3 + seqCount))
      clock.advance(1)
    }
    return frames.length - before
  }
  let seqCount = 0
  expect(happen(5, 960)).toBeLessThanOrEqual(960 / bustleFrameMs + 1)
  clock.advance(bustleFrameMs)
  expect(seqs()).toEqual(Array.from({ length: seqCount }, (_, index) => index + 4))
  // What comes after a pause is told at once, and few events in their own frame.
  clock.advance(1_000)
  for (let index = 0; index < 20; index += 1) {
    seqCount += 1
    feed.push(eventsFrom(3 + seqCount, 3 + seqCount))
    clock.advance(eventFrameMs)
    expect(seqs().at(-1)).toBe(3 + seqCount)
    clock.advance(eventFrameMs)
  }
})

test('it is looked for what is new as often as it is told of', async () => {
  const { clock, feed } = setUp(subscribe, true)
  await settle()
  expect(feed.paceMs()).toBe(eventFrameMs)
  let seq = 3
  for (let passed = 0; passed < 100; passed += 1) {
    feed.push([groupOf(seq + 1, seq + 5)])
    seq += 5
    clock.advance(1)
  }
  clock.advance(bustleFrameMs)
  expect(feed.paceMs()).toBe(bustleFrameMs)
  // A pause, and then a few.
  clock.advance(1_000)
  feed.push([groupOf(seq + 1, seq + 2)])
  expect(feed.paceMs()).toBe(eventFrameMs)
})

test('printed lines take turns with events', async () => {
  const { clock, feed, frames } = setUp()
  await settle()
  const line = { at: 0, level: 'info', stream: 'stdout', text: 'hello' } as const
  feed.push(eventsFrom(4, 4))
  feed.print({ runId: runId('r1'), invocationId: 'r1/a' as never, line })
  feed.print({ runId: runId('another'), invocationId: 'x/a' as never, line })
  feed.push(eventsFrom(5, 5))
  clock.advance(100)
  expect(frames.map(({ type }) => type)).toEqual(['snapshot', 'events', 'live', 'events'])
  expect(frames[2]).toMatchObject({ lines: [{ invocationId: 'r1/a', line: { text: 'hello' } }] })
})

test('who begins to look in the middle of a step sees what it has printed', async () => {
  const { clock, feed, frames } = setUp()
  const line = { at: 0, level: 'info', stream: 'stdout', text: 'before' } as const
  feed.print({ runId: runId('r1'), invocationId: 'r1/a' as never, line })
  feed.print({ runId: runId('another'), invocationId: 'x/a' as never, line })
  await settle()
  clock.advance(100)
  expect(frames.slice(1)).toMatchObject([
    { type: 'live', lines: [{ invocationId: 'r1/a', line: { text: 'before' } }] },
  ])
})

test('who begins to look at what printed already has each event once', async () => {
  const { clock, feed, seqs } = setUp()
  const line = { at: 0, level: 'info', stream: 'stdout', text: 'before' } as const
  feed.print({ runId: runId('r1'), invocationId: 'r1/a' as never, line })
  await settle()
  expect(feed.followedFrom).toHaveLength(1)
  feed.push(eventsFrom(4, 6))
  clock.advance(100)
  expect(seqs()).toEqual([4, 5, 6])
})

test('a stopped one says nothing any more', async () => {
  const { clock, feed, frames, stop } = setUp()
  await settle()
  feed.push(eventsFrom(4, 4))
  feed.push(eventsFrom(5, 5))
  stop()
  feed.push(eventsFrom(6, 6))
  clock.advance(100)
  expect(frames.map(({ type }) => type)).toEqual(['snapshot', 'events'])
  expect(feed.isFollowed()).toBe(false)
})

const overview = { type: 'subscribe', id: 8, topic: { kind: 'runs' } } as const
const at = (seq: number) => [{ partition: 0, epoch: 1, seq }]

/** Steps that go their usual way. */
function stepsFrom(from: number, to: number): readonly EngineEvent[] {
  const body = { type: 'invocation.changed', from: 'PENDING', to: 'RUNNING', set: {}, attempt: null } as const
  return eventsFrom(from, to).map((event) => ({ ...event, body }))
}

function endOfRun(seq: number): readonly EngineEvent[] {
  const body = { type: 'run.changed', from: 'RUNNING', to: 'FAILED', set: {} } as const
  return eventsFrom(seq, seq).map((event) => ({ ...event, body }))
}

test('who looks at all runs hears of runs, and of steps only how far they have come, four times in a second', async () => {
  const { clock, feed, frames } = setUp({ ...overview, cursor: at(3) })
  await settle()
  for (let frame = 0; frame < 100; frame += 1) {
    feed.push(stepsFrom(4 + frame * 80, 83 + frame * 80))
    clock.advance(16)
  }
  expect(frames.every((frame) => frame.type === 'events' && frame.events.length === 0)).toBe(true)
  expect(frames).toHaveLength(Math.ceil(1_600 / overviewPlaceMs))
  feed.push(endOfRun(8_004))
  clock.advance(16)
  expect(frames.at(-1)).toMatchObject({ events: [{ seq: 8_004 }], cursor: at(8_004) })
})

test('news of a run never waits for as long as the mere place of its steps', async () => {
  const { clock, feed, frames, seqs } = setUp({ ...overview, cursor: at(3) })
  await settle()
  feed.push(stepsFrom(4, 4))
  feed.push(stepsFrom(5, 5))
  clock.advance(20)
  expect(frames).toHaveLength(1)
  feed.push(endOfRun(6))
  expect(seqs()).toEqual([6])
})

test('who comes back to all runs goes on after the steps that were passed over', async () => {
  const { clock, feed, frames } = setUp({ ...overview, cursor: at(3) })
  await settle()
  feed.push([...endOfRun(4), ...stepsFrom(5, 9)])
  feed.push(stepsFrom(10, 12))
  expect(frames.at(-1)).toMatchObject({ events: [{ seq: 4 }], cursor: at(9) })
  clock.advance(overviewPlaceMs)
  expect(frames.at(-1)).toMatchObject({ events: [], cursor: at(12) })
  clock.advance(10 * overviewPlaceMs)
  expect(frames).toHaveLength(2)
})

/** Events of run r1 as a store keeps those of one checkpoint. */
function groupOf(from: number, to: number): PackedGroup {
  const drafts = eventsFrom(from, to).map(({ runId: id, invocationId, cause, body }) => {
    return { runId: id, invocationId, cause, body }
  })
  const shared = {
    epoch: 1,
    runId: runId('r1'),
    at: 0,
    opId: opId('op'),
    actor: { kind: 'run', id: null },
  } as const
  const place = { partition: 0, epoch: 1, seq: from, count: to - from + 1, runId: runId('r1'), only: null }
  return readGroup({ ...place, text: packEvents(shared, drafts) })
}

test('who reads groups is given them as they are kept, and has the same events', async () => {
  const { clock, feed, frames } = setUp(subscribe, true)
  await settle()
  feed.push([groupOf(4, 6), groupOf(7, 7)])
  feed.push([groupOf(8, 9)])
  clock.advance(100)
  const told = frames.filter((frame) => frame.type === 'groups')
  expect(told.map(({ groups }) => groups.length)).toEqual([2, 1])
  expect(told.map(({ cursor }) => cursor)).toEqual([at(7), at(9)])
  expect(told.flatMap(({ groups }) => eventsOfWire(groups))).toEqual(eventsFrom(4, 9))
})

test('who wants hashes is given events one by one, also where it reads groups elsewhere', async () => {
  const { feed } = setUp({ ...subscribe, hashes: true }, true)
  await settle()
  const groups = setUp(subscribe, true)
  await settle()
  expect([feed.forms, groups.feed.forms]).toEqual([[undefined], ['packed']])
})

test('events among groups keep their order, each kind in messages of its own', async () => {
  const { clock, feed, frames } = setUp(subscribe, true)
  await settle()
  feed.push([groupOf(4, 5), ...eventsFrom(6, 6), groupOf(7, 7)])
  clock.advance(100)
  expect(frames.map(({ type }) => type)).toEqual(['snapshot', 'groups', 'events', 'groups'])
  expect(frames.flatMap((frame) => ('cursor' in frame ? frame.cursor : [])).map(({ seq }) => seq)).toEqual([
    3, 5, 6, 7,
  ])
})

test('a message of groups is bounded by their events, but for a single checkpoint that has more', async () => {
  const { clock, feed, frames } = setUp(subscribe, true)
  await settle()
  const half = messageEventsMax / 2
  feed.push([groupOf(4, half + 3), groupOf(half + 4, messageEventsMax + 2)])
  feed.push([groupOf(messageEventsMax + 3, messageEventsMax + 4), groupOf(9_000, 9_000 + messageEventsMax)])
  clock.advance(100)
  const told = frames.flatMap((frame) => (frame.type === 'groups' ? [eventsOfWire(frame.groups).length] : []))
  expect(told).toEqual([messageEventsMax - 1, 2, messageEventsMax + 1])
})
