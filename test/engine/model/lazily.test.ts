/** What is made when it is first asked for. */

import { expect, test, vi } from 'vitest'
import { lazily } from '../../../src-engine/model/lazily.ts'

test('nothing is made before somebody asks, and one thing however often they do', () => {
  const make = vi.fn<() => object>(() => ({}))
  const thing = lazily(make)
  expect(make).not.toHaveBeenCalled()
  const made = thing()
  expect(thing()).toBe(made)
  expect(make).toHaveBeenCalledTimes(1)
})

test('what is nothing is kept, too', () => {
  const make = vi.fn<() => undefined>(() => undefined)
  const thing = lazily(make)
  thing()
  thing()
  expect(make).toHaveBeenCalledTimes(1)
})

test('who failed to make it is asked again', () => {
  let attempts = 0
  const thing = lazily(() => {
    attempts += 1
    if (attempts === 1) throw new Error('not yet')
    return attempts
  })
  expect(thing).toThrow('not yet')
  expect(thing()).toBe(2)
})
