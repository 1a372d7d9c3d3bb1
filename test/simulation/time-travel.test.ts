/** What a journal tells of a run at any event is what was seen when it came: also of runs full of faults. */

import { expect, test } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { groupOf, packEvents } from '../../src-engine/model/event-codec.ts'
import type { PackedGroup, WireGroup } from '../../src-engine/model/packed-group.ts'
import { eventsOfWire, readGroup, wireText } from '../../src-engine/model/packed-group.ts'
import { EventLog } from '../../src-renderer/state/event-log.ts'
import { Keyframes } from '../../src-renderer/state/keyframes.ts'
import type { RunModel } from '../../src-renderer/state/run-model.ts'
import { advance, emptyRunModel, modelAt, modelOfSnapshot } from '../../src-renderer/state/run-model.ts'
import { TimelineReading } from '../../src-renderer/state/timeline-reading.ts'
import { createRandomSource } from '../support/random-source.ts'
import { everyEvent } from '../support/read-events.ts'
import { storeOf } from './campaign.ts'
import { simulate } from './simulate.ts'

const seeds = 12

/** The journals of the runs of a simulated world. */
async function journalsOf(seed: number): Promise<readonly (readonly EngineEvent[])[]> {
  const open = storeOf('memory')
  let events: readonly EngineEvent[] = []
  await simulate(seed, {
    openStore: async (...given) => {
      const store = await open(...given)
      const close = async (): Promise<void> => {
        events = await everyEvent(store)
        await store.close()
      }
      return { ...store, close }
    },
  })
  const byRun = Map.groupBy(events, ({ runId }) => runId)
  return [...byRun].flatMap(([runId, own]) => (runId === null ? [] : [own]))
}

test('moving the playhead anywhere gives what was seen live', async () => {
  let moments = 0
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (const events of await journalsOf(seed)) {
      const random = createRandomSource(`time travel ${seed}`)
      const seen: RunModel[] = [emptyRunModel]
      for (const event of events) seen.push(advance(seen.at(-1) ?? emptyRunModel, [event]))
      // Live, they come some at a time.
      let live = emptyRunModel
      let log = EventLog.empty()
      for (let at = 0; at < events.length; ) {
        const batch = events.slice(at, at + 1 + random.below(9))
        at += batch.length
        // One by one, as events, or in groups as they were packed.
        log = log.append(seed % 2 === 0 ? batch : groupsOf(batch).map(wireOf))
        live = advance(live, batch)
        expect(live).toEqual(seen[at])
      }
      const spacing = 1 + random.below(20)
      const keyframes = new Keyframes(spacing)
      const reading = new TimelineReading(spacing, keyframes)
      let near = emptyRunModel
      for (let move = 0; move < 20; move += 1) {
        const position = random.below(events.length + 1)
        if (random.below(2) === 0) reading.step(log)
        near = modelAt(keyframes.at(log, position), near)
        expect(near, `seed ${seed}, event ${position}`).toEqual(seen[position])
        moments += 1
      }
    }
  }
  expect(moments).toBeGreaterThan(1_000)
})

test('what comes in groups over a channel is the journal, but for its hashes', async () => {
  let count = 0
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (const events of await journalsOf(seed)) {
      expect(eventsOfWire(groupsOf(events).map(wireOf))).toEqual(
        events.map((event) => ({ ...event, hash: '', prevHash: '' })),
      )
      count += events.length
    }
  }
  expect(count).toBeGreaterThan(500)
})

/** Those of one checkpoint each. */
function groupsOf(events: readonly EngineEvent[]): readonly (readonly EngineEvent[])[] {
  const groups: EngineEvent[][] = []
  for (const event of events) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    if (before?.opId === event.opId && before.seq + 1 === event.seq) last?.push(event)
    else groups.push([event])
  }
  return groups
}

/** As a message has them. */
const wireOf = (group: readonly EngineEvent[]): WireGroup => JSON.parse(wireText(packed(group))) as WireGroup

/** As a store packs the events of a checkpoint. */
function packed(group: readonly EngineEvent[]): PackedGroup {
  const [first] = group
  if (first === undefined) throw new Error('A group has events.')
  const { partition, epoch, seq, runId } = first
  const text = packEvents(groupOf(first), group)
  return readGroup({ partition, epoch, seq, count: group.length, runId, text, only: null })
}

test('who joins in between sees the same from then on', async () => {
  const [events = []] = (await journalsOf(3)).toSorted((one, other) => other.length - one.length)
  const seen: RunModel[] = [emptyRunModel]
  for (const event of events) seen.push(advance(seen.at(-1) ?? emptyRunModel, [event]))
  const middle = Math.floor(events.length / 2)
  const { replay } = seen[middle] ?? emptyRunModel
  if (replay.run === null) throw new Error('The run had not begun by then.')
  const snapshot = {
    run: replay.run,
    invocations: [...replay.invocations.values()],
    skipped: replay.skipped,
  }
  const joined = advance(modelOfSnapshot(snapshot as never, replay.attempts), events.slice(middle))
  expect(joined).toEqual(seen.at(-1))
})

test('a run of 100,000 events costs a few thousand of them to look at any moment', () => {
  const register = { type: 'register.changed', key: 'a', version: 1 } as const
  const one = { seq: 1, at: 0, invocationId: null, runId: 'r', body: register } as unknown as EngineEvent
  let applied = 0
  const keyframes = new Keyframes(1_000, (state, events) => {
    applied += events.length
    return state
  })
  let log = EventLog.empty()
  for (let batch = 0; batch < 1_000; batch += 1) log = log.append(Array.from({ length: 100 }, () => one))
  expect(log.length).toBe(100_000)
  const reading = new TimelineReading(250, keyframes)
  while (reading.step(log));
  // Each once to make the keyframes.
  expect(applied).toBe(100_000)
  applied = 0
  const random = createRandomSource('scrubbing')
  for (let move = 0; move < 100; move += 1) keyframes.at(log, random.below(100_001))
  expect(applied).toBeLessThan(100 * 1_000)
})

test('a log that somebody else went on from stays what it was', () => {
  const event = (seq: number) => ({ seq }) as EngineEvent
  const short = EventLog.empty().append([event(1)])
  const long = short.append([event(2)])
  const other = short.append([event(3)])
  expect([short, long, other].map((log) => log.slice(0, 9).map(({ seq }) => seq))).toEqual([
    [1],
    [1, 2],
    [1, 3],
  ])
  expect(short.at(1)).toBeUndefined()
})
