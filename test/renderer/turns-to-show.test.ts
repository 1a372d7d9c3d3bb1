/** Cards of a busy run take their turns: few are shown at once, many a few in each frame, each as it is newest. */

import { describe, expect, test } from 'vitest'
import { createTurnsToShow } from '../../src-renderer/canvas/live/turns-to-show.ts'
import { isStream } from '../../src-renderer/canvas/live/use-in-turn.ts'
import { EventLog } from '../../src-renderer/state/event-log.ts'
import { createRunsStore } from '../../src-renderer/state/runs-store.ts'
import { TimelineReading } from '../../src-renderer/state/timeline-reading.ts'
import { runRecord } from './factories.ts'

/** So many cards on a page that draws a frame when it is told to. */
function cards(count: number) {
  const now = Array.from({ length: count }, () => 0)
  let frames: (() => void)[] = []
  const turns = createTurnsToShow((call) => void frames.push(call))
  const told: number[] = []
  const all = now.map((_, at) => turns.follow(() => now[at] ?? 0))
  const stops = all.map((one, at) => one.subscribe(() => void told.push(at)))
  /** The first so many change. */
  const change = (first: number): void => {
    for (let at = 0; at < first; at += 1) now[at] = (now[at] ?? 0) + 1
  }
  const frame = (): number => {
    const [due, before] = [frames, told.length]
    frames = []
    for (const call of due) call()
    return told.length - before
  }
  return { turns, now, all, stops, told, change, frame, isAsked: () => frames.length > 0 }
}

describe('what a run came to', () => {
  test('is shown at once while it is news for few cards, and asks for no frame', () => {
    const { turns, told, change, isAsked } = cards(50)
    change(12)
    turns.look(true)
    expect(told).toHaveLength(12)
    expect(isAsked()).toBe(false)
  })

  test('is shown by a few cards in each frame while it is news for many; by none in the frame that takes it', () => {
    const { turns, told, change, frame, all, now } = cards(45)
    change(45)
    turns.look(true)
    expect(told).toEqual([])
    expect(Array.from({ length: 5 }, frame)).toEqual([12, 12, 12, 9, 0])
    expect(all.map(({ read }) => read())).toEqual(now)
  })

  test.each([
    [13, [7, 6]],
    [15, [8, 7]],
    [25, [9, 9, 7]],
  ])(
    'is shown by as many of %d in one frame as in the other, in no more frames for that',
    (count, shares) => {
      const { turns, change, frame } = cards(count)
      change(count)
      turns.look(true)
      expect(Array.from({ length: shares.length + 1 }, frame)).toEqual([...shares, 0])
    },
  )

  test('is shown within four frames, however many cards are in sight', () => {
    const { turns, change, frame } = cards(600)
    change(600)
    turns.look(true)
    expect(Array.from({ length: 5 }, frame)).toEqual([150, 150, 150, 150, 0])
  })

  test('is shown by all cards together when a person went somewhere else', () => {
    const { turns, told, change, isAsked } = cards(45)
    change(45)
    turns.look(false)
    expect(told).toHaveLength(45)
    expect(isAsked()).toBe(false)
  })

  test('is shown as it is newest once it is a card’s turn, and nobody who waits is passed by', () => {
    const { turns, told, change, frame, all } = cards(24)
    change(24)
    turns.look(true)
    expect(frame()).toBe(12)
    // The first ones have news again: they come last now.
    change(24)
    turns.look(true)
    expect(told).toEqual(Array.from({ length: 12 }, (_, at) => at))
    expect(all[23]?.read()).toBe(0)
    expect(frame()).toBe(12)
    expect(told.slice(12)).toEqual(Array.from({ length: 12 }, (_, at) => at + 12))
    expect(all[23]?.read()).toBe(2)
    expect(all[0]?.read()).toBe(1)
    expect(frame()).toBe(12)
    expect(all[0]?.read()).toBe(2)
    expect(frame()).toBe(0)
  })

  test('is nothing to show for a card that is as it was by its turn', () => {
    const { turns, told, change, frame, now } = cards(20)
    change(20)
    turns.look(true)
    now.fill(0)
    turns.look(true)
    expect(frame()).toBe(0)
    expect(told).toEqual([])
  })

  test('is not told to a card that went out of sight, and a card that comes into it begins with the newest', () => {
    const { turns, told, change, frame, stops, now } = cards(20)
    change(20)
    turns.look(true)
    stops[3]?.()
    expect(frame() + frame()).toBe(19)
    expect(told).not.toContain(3)
    const late = turns.follow(() => now[3] ?? 0)
    expect(late.read()).toBe(1)
    change(20)
    expect(late.read()).toBe(2)
    late.subscribe(() => undefined)
    change(20)
    turns.look(true)
    // On the page it shows what it showed, until it is its turn.
    expect(late.read()).toBe(2)
  })
})

describe('cards take turns', () => {
  /** A run that is shown, with its records. */
  const shown = () => {
    const runs = createRunsStore()
    const run = runRecord({})
    const place = { runId: run.id, site: null, overlay: null, hash: null, shownOn: null }
    runs.getState().show(place, new Map())
    const empty = runs.getState().current
    const snapshot = { run, invocations: [], skipped: [], attempts: [], cursors: [] } as never
    runs.getState().takeSnapshot(snapshot)
    return { runs, empty, first: runs.getState().current }
  }

  test('for what happens in the run that is looked at', () => {
    const { runs, first } = shown()
    runs.getState().takeEvents([])
    expect(isStream(runs.getState().current, first)).toBe(true)
  })

  test('not for a run that is opened, left, or looked at in its past', () => {
    const { runs, empty, first } = shown()
    expect(isStream(first, empty)).toBe(false)
    expect(isStream(first, null)).toBe(false)
    expect(isStream(null, first)).toBe(false)
    expect(isStream(first, first === null ? null : { ...first, runId: 'run_other' as never })).toBe(false)
    runs.getState().showTimeline(EventLog.empty(), new TimelineReading())
    const live = runs.getState().current
    runs.getState().movePlayhead(0)
    expect(isStream(runs.getState().current, live)).toBe(false)
    expect(isStream(live, runs.getState().current)).toBe(false)
  })
})
