/** Pressing `-` again while the view still zooms goes on from where it is going. */

import { expect, test } from 'vitest'
import { createZoomAim } from '../../src-renderer/canvas/zoom-aim.ts'

function aiming(range = { min: 0.1, max: 2.5 }) {
  const clock = { ms: 0 }
  return { clock, aim: createZoomAim({ now: () => clock.ms, lastsMs: 260, range: () => range }) }
}

test('presses that come while the view is on its way add up', () => {
  const { clock, aim } = aiming()
  expect(aim(1, 0.8)).toBe(0.8)
  clock.ms = 60
  // It is seen hardly smaller yet.
  expect(aim(0.98, 0.8)).toBeCloseTo(0.64)
})

test('once it is there, or was moved by hand since, it begins from what is seen', () => {
  const { clock, aim } = aiming()
  aim(1, 0.8)
  clock.ms = 260
  expect(aim(0.5, 0.8)).toBe(0.4)
})

test('what is pressed at the end of the range isn’t owed when the other way is pressed', () => {
  const { aim } = aiming({ min: 0.5, max: 1 })
  for (let press = 0; press < 9; press += 1) aim(0.6, 0.8)
  expect(aim(0.5, 1.25)).toBe(0.625)
})
