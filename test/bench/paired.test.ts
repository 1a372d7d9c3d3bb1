/** What the bench of a live view makes of its readings: turns that a drift falls out of, and how sure their middle is. */

import { expect, test } from 'vitest'
import { inPairs, medianInterval, medianOf } from '../../bench/live/paired.ts'

test('the middle of numbers, in any order and of any count', () => {
  expect(medianOf([3])).toBe(3)
  expect(medianOf([9, 1, 4])).toBe(4)
  expect(medianOf([9, 1, 4, 2])).toBe(3)
})

test('the interval is that of the sign test: the 6th and the 15th of twenty', () => {
  const upTo = (count: number): readonly number[] =>
    Array.from({ length: count }, (_, index) => count - index)
  expect(medianInterval(upTo(20))).toEqual([6, 15])
  expect(medianInterval(upTo(30))).toEqual([10, 21])
  expect(medianInterval(upTo(9))).toEqual([2, 8])
})

test('of few readings nothing is sure but that it lies among them', () => {
  expect(medianInterval([5, 1, 3])).toEqual([1, 5])
})

test('each turn goes one way and back, so that what grows evenly falls out of its ratio', async () => {
  const order: string[] = []
  let slower = 0
  const reading = (name: string, cost: number) => async (): Promise<number> => {
    order.push(name)
    slower += 1
    return cost + slower
  }
  const ratios = await inPairs(4, { first: reading('a', 900), other: reading('b', 900) })
  expect(order.join('')).toBe('abbabaababbabaab')
  expect(ratios).toEqual([1, 1, 1, 1])
})

test('the ratio is that of the first to the other, whichever a turn begins with', async () => {
  const constant = (cost: number) => () => Promise.resolve(cost)
  expect(await inPairs(3, { first: constant(95), other: constant(100) })).toEqual([0.95, 0.95, 0.95])
})
