/** Clocks tell what is known: while the engine is away nothing is, and they stand still. */

import { expect, test } from 'vitest'
import { createClock } from '../../src-renderer/ui/clock.ts'

function clock() {
  const time = { now: 1_000 }
  const timers = new Set<() => void>()
  const everyTick = (call: () => void) => {
    timers.add(call)
    return () => void timers.delete(call)
  }
  const made = createClock({ now: () => time.now, everyTick })
  const pass = (ms: number): void => {
    time.now += ms
    for (const call of timers) call()
  }
  return { ...made, pass, timers }
}

test('has one timer while anybody looks at it, and none else', () => {
  const { subscribe, read, pass, timers } = clock()
  const stops = [subscribe(() => undefined), subscribe(() => undefined)]
  expect(timers.size).toBe(1)
  pass(100)
  expect(read()).toBe(1_100)
  for (const stop of stops) stop()
  expect(timers.size).toBe(0)
})

test('stands still while it is held, and is right at once afterwards', () => {
  const { subscribe, read, hold, pass } = clock()
  let heard = 0
  subscribe(() => void (heard += 1))
  pass(100)
  hold(true)
  pass(5_000)
  expect([read(), heard]).toEqual([1_100, 1])
  hold(false)
  expect([read(), heard]).toEqual([6_100, 2])
})

test('is held at the moment since when it is, for who looks at it only then', () => {
  const { subscribe, read, hold, pass } = clock()
  pass(700)
  hold(true)
  pass(5_000)
  subscribe(() => undefined)
  expect(read()).toBe(1_700)
})
