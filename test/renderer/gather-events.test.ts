/** When what happens in a run is shown: with each frame, or a few times in a second while very much happens. */

import { expect, it } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { gatherEvents } from '../../src-renderer/state/gather-events.ts'
import { eventOf, runRecord } from './factories.ts'

const event = eventOf({ type: 'run.created', run: runRecord() })
const messageMs = 16

/** A page that draws a frame in so many milliseconds, and whose clock the test moves. */
function page(frameMs = 16) {
  let now = 0
  const waiting = new Set<{ readonly at: number; readonly call: () => void }>()
  const wait = (ms: number, call: () => void): (() => void) => {
    const one = { at: now + ms, call }
    waiting.add(one)
    return () => void waiting.delete(one)
  }
  const shown: { readonly at: number; readonly events: readonly EngineEvent[] }[] = []
  const ambient = {
    now: () => now,
    after: wait,
    onFrame: (call: () => void) => void wait(frameMs - (now % frameMs), call),
  }
  let isMoved = false
  const show = (events: readonly EngineEvent[]): void => void shown.push({ at: now, events })
  const gathered = gatherEvents(ambient, show, () => isMoved)
  /** Time goes by, a millisecond after the other. */
  const pass = (ms: number): void => {
    for (const until = now + ms; now < until; ) {
      now += 1
      for (const one of [...waiting]) {
        if (one.at > now) continue
        waiting.delete(one)
        one.call()
      }
    }
  }
  /** So many events with each message. */
  const stream = (inMessage: number, ms: number): readonly EngineEvent[] => {
    const told: EngineEvent[] = []
    for (let passed = 0; passed < ms; passed += messageMs) {
      const events = Array.from({ length: inMessage }, () => ({ ...event }))
      told.push(...events)
      gathered.add(events)
      pass(messageMs)
    }
    return told
  }
  const move = (moves: boolean): void => {
    isMoved = moves
  }
  return { gathered, shown, pass, stream, move }
}

it('few events are shown with the next frame', () => {
  const { shown, stream } = page()
  stream(1, 960)
  expect(shown).toHaveLength(60)
  expect(shown.every(({ events }) => events.length === 1)).toBe(true)
})

it('thousands in a second are shown a few times in a second, each of them once and in their order', () => {
  const { shown, stream, pass } = page()
  const told = stream(80, 1_920)
  pass(200)
  // Those of the first tenth come with each frame: nobody knows yet that there are many.
  expect(shown.length).toBeGreaterThanOrEqual(18)
  expect(shown.length).toBeLessThanOrEqual(22)
  expect(shown.flatMap(({ events }) => events)).toEqual(told)
  expect(shown.flatMap(({ events }) => events).every((one, at) => one === told[at])).toBe(true)
})

it('while a hand moves the canvas they are shown less often, and afterwards as often as before', () => {
  const { shown, stream, pass, move } = page()
  const told = [...stream(80, 960)]
  const still = shown.length
  move(true)
  told.push(...stream(80, 1_920))
  const moved = shown.length - still
  move(false)
  told.push(...stream(80, 1_920))
  expect(moved).toBeGreaterThanOrEqual(7)
  expect(moved).toBeLessThanOrEqual(9)
  expect(shown.length - still - moved).toBeGreaterThanOrEqual(13)
  pass(200)
  expect(shown.flatMap(({ events }) => events)).toEqual(told)
})

it('few events are shown with the next frame also while a hand moves the canvas', () => {
  const { shown, stream, move } = page()
  move(true)
  stream(1, 960)
  expect(shown).toHaveLength(60)
})

it('the last of many wait no longer than the others, and what comes after a pause is shown at once', () => {
  const { gathered, shown, stream, pass } = page()
  const told = stream(80, 960)
  pass(150)
  expect(shown.flatMap(({ events }) => events)).toHaveLength(told.length)
  pass(2_000)
  const before = shown.length
  gathered.add([event])
  pass(messageMs)
  expect(shown).toHaveLength(before + 1)
})

it('where frames are late there are some between that draw nothing of it', () => {
  const { shown, stream } = page(120)
  stream(80, 4_800)
  const spans = shown.slice(3).map(({ at }, index) => at - (shown[index + 2]?.at ?? 0))
  expect(new Set(spans)).toEqual(new Set([360]))
})

it('once it is calmer each frame shows what came, again', () => {
  const { shown, stream } = page()
  stream(80, 960)
  stream(1, 480)
  const before = shown.length
  stream(1, 480)
  expect(shown.length - before).toBe(30)
})

it('what is forgotten is not shown, and what comes then is', () => {
  const { gathered, shown, pass } = page()
  gathered.add([event])
  gathered.clear()
  pass(messageMs)
  expect(shown).toEqual([])
  gathered.add([event, event])
  pass(messageMs)
  expect(shown.map(({ events }) => events.length)).toEqual([2])
})
