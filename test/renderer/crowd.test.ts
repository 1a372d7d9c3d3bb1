/** Many steps at work in sight: from when on nothing turns, and until when. */

import { expect, test } from 'vitest'
import { beginTurning } from '../../src-renderer/canvas/live/crowd.ts'

test('a crowd begins with many at work, is over with few, and counts each one once', () => {
  const told: boolean[] = []
  const tell = (isCrowd: boolean): void => void told.push(isCrowd)
  const ends = Array.from({ length: 24 }, () => beginTurning(tell))
  expect(told).toEqual([])
  ends.push(beginTurning(tell), beginTurning(tell))
  expect(told).toEqual([true])
  for (const end of ends.splice(0, 10)) {
    end()
    end()
  }
  expect(ends).toHaveLength(16)
  expect(told).toEqual([true])
  ends.pop()?.()
  expect(told).toEqual([true, false])
  for (const end of ends) end()
  expect(told).toEqual([true, false])
})
