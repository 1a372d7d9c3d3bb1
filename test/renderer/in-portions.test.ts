/** A timeline's events are shown at once when they come alone, and some times in a second when they come in a stream. */

import { expect, it } from 'vitest'
import { inPortions } from '../../src-renderer/state/in-portions.ts'

function setUp() {
  const taken: (readonly number[])[] = []
  const rests: number[] = []
  let timer: (() => void) | null = null
  const portions = inPortions<number>({
    restMs: (count) => (count > 2 ? 250 : 100),
    after: (ms, call) => {
      rests.push(ms)
      timer = call
      return () => {
        timer = null
      }
    },
    take: (things) => void taken.push(things),
  })
  const pass = (): void => {
    const call = timer
    timer = null
    call?.()
  }
  return { portions, taken, rests, pass, isWaiting: () => timer !== null }
}

it('hands on at once what comes after a pause', () => {
  const { portions, taken, pass, isWaiting } = setUp()
  portions.add([1])
  expect(taken).toEqual([[1]])
  pass()
  expect(isWaiting()).toBe(false)
  portions.add([2])
  expect(taken).toEqual([[1], [2]])
})

it('gathers what comes meanwhile, in its order, and loses nothing', () => {
  const { portions, taken, rests, pass } = setUp()
  portions.add([1])
  portions.add([2, 3])
  portions.add([4])
  expect(taken).toEqual([[1]])
  pass()
  portions.add([5])
  pass()
  pass()
  expect(taken).toEqual([[1], [2, 3, 4], [5]])
  // Much at once is followed by a longer rest.
  expect(rests).toEqual([100, 250, 100])
})

it('hands on nothing once it was stopped', () => {
  const { portions, taken, pass } = setUp()
  portions.add([1])
  portions.add([2])
  portions.stop()
  pass()
  expect(taken).toEqual([[1]])
})
