/** Many cards that change at once: from when on nothing moves between states, and until when. */

import { expect, test } from 'vitest'
import { countBustle } from '../../src-renderer/canvas/live/bustle.ts'

function scene() {
  const told: boolean[] = []
  const waiting = new Set<() => void>()
  const after = (_ms: number, call: () => void): (() => void) => {
    waiting.add(call)
    return () => void waiting.delete(call)
  }
  const bustle = countBustle((isOn) => void told.push(isOn))
  const change = (times: number): void => {
    for (let time = 0; time < times; time += 1) bustle.note(after)
  }
  /** The span in which changes are counted is over. */
  const pass = (): void => {
    for (const call of [...waiting]) {
      waiting.delete(call)
      call()
    }
  }
  return { told, bustle, change, pass, waiting }
}

test('a bustle begins at once with many changes in a span, and is over after a span with few', () => {
  const { told, bustle, change, pass } = scene()
  change(29)
  expect(bustle.isOn()).toBe(false)
  change(1)
  expect(told).toEqual([true])
  expect(bustle.isOn()).toBe(true)
  pass()
  change(13)
  pass()
  expect(told).toEqual([true])
  change(12)
  pass()
  expect(told).toEqual([true, false])
})

test('many changes over several spans are none', () => {
  const { told, change, pass } = scene()
  for (let span = 0; span < 5; span += 1) {
    change(29)
    pass()
  }
  expect(told).toEqual([])
})

test('nobody waits for a span while nothing changes', () => {
  const { change, pass, waiting } = scene()
  expect(waiting.size).toBe(0)
  change(40)
  expect(waiting.size).toBe(1)
  pass()
  pass()
  expect(waiting.size).toBe(0)
})
