/** The events of a run stay packed until they are read, are read once, and each moment is found from there. */

import { describe, expect, it } from 'vitest'
import type { EngineEvent, EventChange } from '../../src-engine/model/event.ts'
import { packEvents } from '../../src-engine/model/event-codec.ts'
import { opId } from '../../src-engine/model/ids.ts'
import type { WireGroup } from '../../src-engine/model/packed-group.ts'
import { countOfWire, eventsOfWire, readGroup, wireText } from '../../src-engine/model/packed-group.ts'
import { applyEvents, replayRun } from '../../src-engine/model/replay.ts'
import type { LogPiece } from '../../src-renderer/state/event-log.ts'
import { EventLog } from '../../src-renderer/state/event-log.ts'
import { Keyframes } from '../../src-renderer/state/keyframes.ts'
import { TimelineReading } from '../../src-renderer/state/timeline-reading.ts'
import { createRandomSource } from '../support/random-source.ts'
import { eventOf, happyEvents, invocationRecord, runRecord } from './factories.ts'

/** As a message has them. */
function wireOf(events: readonly EngineEvent[], only: readonly number[] | null = null): WireGroup {
  const [first] = events
  if (first === undefined) throw new RangeError('a group of nothing')
  const { partition, epoch, seq, runId } = first
  const text = packEvents(first, events)
  const group = readGroup({ partition, epoch, seq, count: events.length, runId, text, only })
  return JSON.parse(wireText(group)) as WireGroup
}

/** A long run of one step, numbered. */
const longRun = (length: number): readonly EngineEvent[] =>
  Array.from({ length }, (_, index): EngineEvent => {
    const place = { seq: 1 + index, at: 1_000 + index, hash: '', prevHash: '' }
    if (index === 0) return { ...eventOf({ type: 'run.created', run: runRecord() }), ...place }
    if (index === 1)
      return {
        ...eventOf({ type: 'invocation.registered', invocation: invocationRecord('pay') }, 'pay'),
        ...place,
      }
    const body = { type: 'invocation.changed', from: 'RUNNING', to: 'RUNNING', attempt: null } as const
    return { ...eventOf({ ...body, set: { version: index } }, 'pay'), ...place }
  })

/** The same in pieces as they may come: events, and groups of some of them. */
function piecesOf(events: readonly EngineEvent[], seed: string): readonly LogPiece[] {
  const random = createRandomSource(seed)
  const pieces: LogPiece[] = []
  for (let at = 0; at < events.length; ) {
    const some = events.slice(at, at + 1 + random.below(4))
    // Events of a group share their instant.
    const [first] = some
    const isGroup = random.below(3) > 0 && some.every((event) => event.at === first?.at)
    if (isGroup) pieces.push(wireOf(some))
    else pieces.push(...some)
    at += some.length
  }
  return pieces
}

const changeOf = ({ at, invocationId, runVersion, body }: EventChange): EventChange => {
  return { at, invocationId, runVersion, body }
}

describe('a log', () => {
  it('gives the events of what came, one by one or in groups, at any place', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = createRandomSource(`places ${seed}`)
      // Five at a time are of one checkpoint.
      const events = longRun(60).map((event, index) => {
        const checkpoint = Math.floor(index / 5)
        return { ...event, at: 1_000 + checkpoint, opId: opId(`op-${checkpoint}`) }
      })
      const told = eventsOfWire(events.map((event) => wireOf([event])))
      const pieces = piecesOf(told, `pieces ${seed}`)
      let log = EventLog.empty()
      for (let at = 0; at < pieces.length; at += 3) log = log.append(pieces.slice(at, at + 3))
      expect(log.length).toBe(told.length)
      for (let look = 0; look < 30; look += 1) {
        const [from, to] = [random.below(61), random.below(70)]
        expect(log.slice(from, to)).toEqual(told.slice(from, to))
        expect(log.at(from)).toEqual(told[from])
      }
      expect(log.at(-1)).toBeUndefined()
    }
  })

  it('reads nothing of a group but how many events it has, and each once', () => {
    const events = longRun(3).map((event) => ({ ...event, at: 1_000 }))
    const log = EventLog.empty().append([wireOf(events)])
    expect(log.length).toBe(3)
    expect(log.at(1)).toBe(log.at(1))
    expect(log.slice(0, 3)[1]).toBe(log.at(1))
  })

  it('tells what its events change without keeping them, whatever of it was read', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = createRandomSource(`changes ${seed}`)
      const events = longRun(60).map((event, index) => ({ ...event, at: 1_000 + Math.floor(index / 5) }))
      const pieces = piecesOf(events, `changed ${seed}`)
      const log = EventLog.empty().append(pieces)
      for (let look = 0; look < 30; look += 1) {
        const [from, to] = [random.below(61), random.below(70)]
        expect(log.changes(from, to).map(changeOf)).toEqual(events.slice(from, to).map(changeOf))
        if (random.below(4) === 0) log.at(from)
      }
    }
    const group = wireOf(longRun(3).map((event) => ({ ...event, at: 1_000 })))
    const log = EventLog.empty().append([group])
    expect(log.changes(1, 2)[0]).not.toBe(log.changes(1, 2)[0])
    expect(log.changes(0, 9)).toHaveLength(3)
    const some = EventLog.empty().append([wireOf(eventsOfWire([group]), [0, 2])])
    expect(some.changes(0, 9).map(changeOf)).toEqual(some.slice(0, 9).map(changeOf))
  })

  it('counts what is meant of a group', () => {
    const events = longRun(3).map((event) => ({ ...event, at: 1_000 }))
    expect([wireOf(events), wireOf(events, [0, 2])].map(countOfWire)).toEqual([3, 2])
    const log = EventLog.empty().append([wireOf(events, [0, 2])])
    expect(log.slice(0, 9).map(({ seq }) => seq)).toEqual([1, 3])
  })

  it('counts the events of a text of the first form too', () => {
    const [first] = happyEvents()
    const { at, actor } = first as EngineEvent
    const text = [
      [at, '=op', 1, actor.id],
      [6, null, 0, 0, 1, 2, 'x'],
      [6, 0, 0, 0, 2, 3, 'y'],
    ]
    expect(countOfWire([0, 1, 1, null, text])).toBe(2)
    expect(eventsOfWire([[0, 1, 1, null, text]])).toHaveLength(2)
  })
})

describe('reading', () => {
  it('takes each event once, a few at a time, however they come', () => {
    const events = longRun(2_345)
    const applied: number[] = []
    const keyframes = new Keyframes(100, (state, some) => {
      applied.push(some.length)
      return applyEvents(state, some)
    })
    const reading = new TimelineReading(25, keyframes)
    const random = createRandomSource('comes')
    let log = EventLog.empty()
    for (let at = 0; at < events.length; ) {
      const more = events.slice(at, at + 1 + random.below(90))
      at += more.length
      log = log.append(more)
      while (reading.step(log));
      expect(reading.read).toBe(log.length)
    }
    expect(reading.step(log)).toBe(false)
    expect(applied).toEqual(Array.from({ length: 23 }, () => 100))
    const [lane] = reading.rows().lanes
    expect([lane?.nodeId, reading.rows().until]).toEqual(['pay', events.at(-1)?.at])
  })

  it('unpacks each group once, and never as the events that it is', () => {
    const events = longRun(900).map((event, index) => ({ ...event, at: 1_000 + Math.floor(index / 3) }))
    let [changed, made] = [0, 0]
    const log = EventLog.empty().append(
      Array.from({ length: 300 }, (_, index) => wireOf(events.slice(3 * index, 3 * index + 3))),
    )
    const watched = Object.assign(Object.create(log) as EventLog, {
      length: log.length,
      changes: (from: number, to: number) => {
        changed += to - from
        return log.changes(from, to)
      },
      slice: () => {
        made += 1
        return []
      },
    })
    const reading = new TimelineReading(25, new Keyframes(100))
    while (reading.step(watched));
    expect([changed, made]).toEqual([900, 0])
    expect(reading.keyframes.at(log, 850)).toEqual(replayRun(events.slice(0, 850)))
  })

  it('leaves a jump to any moment less than one spacing of events to apply', () => {
    const events = longRun(2_345)
    let applied = 0
    const keyframes = new Keyframes(100, (state, some) => {
      applied += some.length
      return applyEvents(state, some)
    })
    const reading = new TimelineReading(25, keyframes)
    const log = EventLog.empty().append(events)
    while (reading.step(log));
    for (const position of [2_345, 2_344, 2_300, 1, 0, 99, 100, 101, 1_250]) {
      applied = 0
      expect(keyframes.at(log, position)).toEqual(replayRun(events.slice(0, position)))
      expect(applied).toBeLessThan(100)
    }
  })

  it('is gone on from for a moment that lies a little beyond it, and says which ones lie too far', () => {
    const events = longRun(900)
    const keyframes = new Keyframes(100)
    const log = EventLog.empty().append(events)
    keyframes.grow(log.slice(0, 100))
    expect([0, 130, 399, 400, 900].map((position) => keyframes.isNear(position))).toEqual([
      ...[true, true, true, false, false],
    ])
    for (const position of [0, 50, 120, 130, 399])
      expect(keyframes.at(log, position)).toEqual(replayRun(events.slice(0, position)))
    expect(() => keyframes.grow(log.slice(100, 130))).toThrow('found 30')
  })
})
