/** When the view of the canvas is said to move: from the second step on, until the hand is still. */

import { expect, test } from 'vitest'
import type { Motion } from '../../src-renderer/canvas/motion.ts'
import { watchMotion } from '../../src-renderer/canvas/motion.ts'

function scene() {
  const told: Motion[] = []
  const waiting = new Set<() => void>()
  const after = (_ms: number, call: () => void): (() => void) => {
    waiting.add(call)
    return () => void waiting.delete(call)
  }
  const watch = watchMotion([0, 0, 1], { after, tell: (motion) => void told.push(motion) })
  /** The span in which a hand comes to rest goes by. */
  const pass = (): void => {
    for (const call of [...waiting]) {
      waiting.delete(call)
      call()
    }
  }
  return { told, watch, pass, waiting }
}

test('a pan is told once, from its second step on, and its end once the hand is still', () => {
  const { told, watch, pass, waiting } = scene()
  watch.step([10, 0, 1])
  expect(told).toEqual([])
  watch.step([20, 0, 1])
  watch.step([30, 5, 1])
  expect(told).toEqual(['pan'])
  pass()
  watch.step([40, 5, 1])
  pass()
  expect(told).toEqual(['pan'])
  pass()
  expect(told).toEqual(['pan', 'rest'])
  expect(waiting.size).toBe(0)
})

test('one jump alone is no movement, only a new rest, and the same place again no step', () => {
  const { told, watch, pass } = scene()
  watch.step([0, 0, 1])
  pass()
  expect(told).toEqual([])
  watch.step([500, 500, 1])
  watch.step([500, 500, 1])
  pass()
  expect(told).toEqual(['rest'])
  watch.step([0, 0, 2])
  pass()
  expect(told).toEqual(['rest', 'rest'])
})

test('who changes the size while moving is told to, and back', () => {
  const { told, watch } = scene()
  watch.step([1, 0, 1])
  watch.step([2, 0, 1])
  watch.step([2, 0, 1.1])
  watch.step([2, 0, 1.2])
  watch.step([3, 0, 1.2])
  expect(told).toEqual(['pan', 'zoom', 'pan'])
})

test('nothing is told once nobody watches', () => {
  const { told, watch, pass } = scene()
  watch.step([1, 0, 1])
  watch.step([2, 0, 1])
  watch.stop()
  pass()
  expect(told).toEqual(['pan'])
})
