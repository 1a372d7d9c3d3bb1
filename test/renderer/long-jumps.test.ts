/** A jump into a run that is long never holds up the page: what isn't made yet is made a little at a time. */

import { expect, it } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { packEvents } from '../../src-engine/model/event-codec.ts'
import type { WireGroup } from '../../src-engine/model/packed-group.ts'
import { readGroup, wireText } from '../../src-engine/model/packed-group.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import type { SubscriptionHandlers } from '../../src-engine/protocol/client.ts'
import { closeTimeline, openTimeline, showRunAgain } from '../../src-renderer/state/follow-runs.ts'
import { shownModel } from '../../src-renderer/state/runs-store.ts'
import { eventOf, invocationRecord, runRecord } from './factories.ts'
import { newMachine, openPage } from './fake-designer.ts'

const length = 50_000

function longRun(): readonly EngineEvent[] {
  const begin = [
    eventOf({ type: 'run.created', run: runRecord() }),
    eventOf({ type: 'invocation.registered', invocation: invocationRecord('pay') }, 'pay'),
  ]
  const moves = Array.from({ length: length - begin.length }, (_, index) =>
    eventOf(
      {
        ...{ type: 'invocation.changed', from: 'RUNNING', to: 'RUNNING', attempt: null },
        set: { version: 2 + index },
      },
      'pay',
    ),
  )
  return [...begin, ...moves]
}

/** A run whose events have just come, before anything was made of them. */
function follow(form: 'events' | 'groups' = 'events') {
  const machine = newMachine()
  Object.assign(machine.methods, { 'runs.attempts': () => [] })
  const { designer } = openPage(machine)
  const lines: SubscriptionHandlers[] = []
  let later: (() => void)[] = []
  let time = 0
  Object.assign(designer.connection, {
    follow: (_topic: unknown, handlers: SubscriptionHandlers) => {
      lines.push(handlers)
      return () => undefined
    },
  })
  Object.assign(designer.ambient, {
    // Each look at the clock finds it a little later, as if work had been done meanwhile.
    now: () => (time += 1),
    after: (_ms: number, call: () => void) => {
      later.push(call)
      return () => {
        later = later.filter((one) => one !== call)
      }
    },
  })
  showRunAgain(designer, { runId: runRecord().id, site: null, overlay: null, hash: null, shownOn: null })
  openTimeline(designer)
  const events = longRun()
  if (form === 'events') lines.at(-1)?.events(events, [])
  else lines.at(-1)?.groups?.(events.map(wireOf), [])
  const current = () => {
    const found = designer.runs.getState().current
    if (found?.timeline === undefined || found.timeline === null) throw new Error('There is a timeline.')
    return { run: found, timeline: found.timeline }
  }
  /** One piece of work that was put off. */
  const work = (): boolean => {
    const next = later.shift()
    next?.()
    return next !== undefined
  }
  const come = (more: readonly EngineEvent[]): void => lines.at(-1)?.events(more, [])
  const pass = (ms: number): void => void (time += ms)
  return { designer, events, current, work, come, pass }
}

/** As a message has it. */
const wireOf = (event: EngineEvent): WireGroup => {
  const { partition, epoch, seq, runId } = event
  const text = packEvents(event, [event])
  return JSON.parse(
    wireText(readGroup({ partition, epoch, seq, count: 1, runId, text, only: null })),
  ) as WireGroup
}

it.for(['events', 'groups'] as const)(
  '%s of a long run are there at once, and read in slices of a few',
  (form) => {
    const { designer, current, work } = follow(form)
    expect(current().timeline).toMatchObject({ position: length, isLive: true })
    const { reading } = current().timeline
    let read = 0
    let slices = 0
    do {
      // A slice has sixteen milliseconds, and a step of these takes two.
      expect(reading.read - read).toBeLessThanOrEqual(8 * 250)
      read = reading.read
      slices += 1
    } while (work())
    expect(read).toBe(length)
    expect(slices).toBeGreaterThan(24)
    expect(current().timeline.read).toBe(length)
    expect(current().timeline.rows.lanes.map(({ nodeId }) => nodeId)).toEqual(['pay'])
    designer.runs.getState().closeTimeline()
  },
)

it('rows are drawn now and then while a long run is read, not with each slice', () => {
  const { designer, current, work } = follow()
  const shown = new Set<number>()
  const stop = designer.runs.subscribe(() => shown.add(current().timeline.read))
  while (work());
  stop()
  // 50,000 events are 200 steps: some 400 milliseconds by this clock.
  expect(shown.size).toBeGreaterThanOrEqual(2)
  expect(shown.size).toBeLessThanOrEqual(4)
})

it('a long past whose last piece is a short one is shown no more often', () => {
  const { designer, current, work, come } = follow()
  const more = longRun().slice(2)
  for (let count = 0; count < 3; count += 1) come(more)
  come(more.slice(0, 100))
  const shown = new Set<number>()
  const stop = designer.runs.subscribe(() => shown.add(current().timeline.read))
  while (work());
  stop()
  // 200,000 events are some 1,600 milliseconds by this clock: after 250, 500 and 1,000 of them, and at the end.
  expect(current().timeline.read).toBe(length + 3 * more.length + 100)
  expect(shown.size).toBeGreaterThanOrEqual(2)
  expect(shown.size).toBeLessThanOrEqual(4)
})

it('what comes while it is read is shown with what was read, and changes nothing of the canvas at all', () => {
  const { current, work, come } = follow()
  const before = current().timeline
  const seen = shownModel(current().run)
  come(longRun().slice(2, 9))
  expect(current().timeline).toBe(before)
  while (work());
  const { events, read, rows } = current().timeline
  expect([events.length, read]).toEqual([before.events.length + 7, before.events.length + 7])
  expect(rows).not.toBe(before.rows)
  expect(shownModel(current().run)).toBe(seen)
})

it('what comes after a pause is shown at once, and of a stream all that came meanwhile', () => {
  const { designer, current, work, come, pass } = follow()
  while (work());
  const lengths: number[] = []
  const stop = designer.runs.subscribe(() => lengths.push(current().timeline.events.length - length))
  const some = longRun().slice(2, 4)
  pass(1_000)
  come(some)
  expect(lengths).toEqual([2])
  for (let count = 0; count < 5; count += 1) come(some)
  expect(lengths).toEqual([2])
  while (work());
  expect(lengths).toEqual([2, 12])
  expect(current().timeline.read).toBe(length + 12)
  stop()
})

it('a long past is shown some times while it comes, and all of it once nothing more does', () => {
  const { designer, current, work, come } = follow()
  while (work());
  const lengths: number[] = []
  const stop = designer.runs.subscribe(() => lengths.push(current().timeline.events.length - length))
  const thousand = longRun().slice(2, 1_002)
  // Read within a slice each, about ten milliseconds by this clock.
  for (let count = 0; count < 60; count += 1) come(thousand)
  expect(lengths.length).toBeGreaterThanOrEqual(1)
  expect(lengths.length).toBeLessThanOrEqual(3)
  expect(lengths.at(-1)).toBeLessThan(60_000)
  while (work());
  expect(lengths.at(-1)).toBe(60_000)
  expect(current().timeline.read).toBe(length + 60_000)
  stop()
})

it('nothing is shown of a timeline that was closed', () => {
  const { designer, work, come } = follow()
  while (work());
  come(longRun().slice(2, 4))
  come(longRun().slice(4, 6))
  closeTimeline(designer)
  while (work());
  expect(designer.runs.getState().current?.timeline).toBeNull()
})

it('reading ends with the timeline, and with the run that is shown', () => {
  const { designer, current, work } = follow()
  const { reading } = current().timeline
  const { read } = reading
  designer.runs.getState().closeTimeline()
  while (work());
  expect(reading.read).toBe(read)
})

it('the playhead moves at once, and what was then is shown as soon as it is known', () => {
  const { designer, events, current, work } = follow()
  const place = 42_500
  const before = shownModel(current().run)
  designer.runs.getState().movePlayhead(place)
  expect(current().timeline).toMatchObject({ position: place, isComing: true, isLive: false })
  expect(shownModel(current().run)).toBe(before)
  let pieces = 0
  while (current().timeline.isComing && work()) pieces += 1
  expect(pieces).toBeGreaterThan(5)
  expect(shownModel(current().run).replay).toEqual(replayRun(events.slice(0, place)))
})

it('a near moment is shown at once, and each once all was made', () => {
  const { designer, events, current, work } = follow()
  const { movePlayhead } = designer.runs.getState()
  movePlayhead(1_700)
  expect(current().timeline.isComing).toBe(false)
  expect(shownModel(current().run).replay).toEqual(replayRun(events.slice(0, 1_700)))
  while (work());
  for (const place of [49_999, 12, 30_000]) {
    movePlayhead(place)
    expect(current().timeline.isComing).toBe(false)
    expect(shownModel(current().run).replay).toEqual(replayRun(events.slice(0, place)))
  }
})

it('who is back at the newest event waits for nothing', () => {
  const { designer, current, work } = follow()
  designer.runs.getState().movePlayhead(42_500)
  designer.runs.getState().goLive()
  expect(current().timeline).toMatchObject({ position: length, isComing: false, isLive: true })
  while (work());
  expect(current().timeline).toMatchObject({ position: length, isLive: true })
})
