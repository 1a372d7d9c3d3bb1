/** Who is told of a commit, and what that costs. */

import { afterEach, expect, test, vi } from 'vitest'
import { createHints, news, noNews } from '../../../src-engine/store/hints.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('one microtask tells all who watch, and only those who want to hear of it', async () => {
  const hints = createHints()
  const told: string[] = []
  for (const name of ['a', 'b']) hints.watch((origin, found) => told.push(`${name} ${origin} ${found}`))
  hints.watch((origin, found) => told.push(`work ${origin} ${found}`), 'news')
  const queued = vi.spyOn(globalThis, 'queueMicrotask')
  hints.notify('own', noNews)
  expect(told).toEqual([])
  await Promise.resolve()
  expect(told.splice(0)).toEqual(['a own 0', 'b own 0'])
  hints.notify('elsewhere', news.work)
  await Promise.resolve()
  expect(told).toEqual(['a elsewhere 1', 'b elsewhere 1', 'work elsewhere 1'])
  expect(queued).toHaveBeenCalledTimes(2)
})

test('nobody is told who has left by then, and without anybody nothing is queued', async () => {
  const hints = createHints()
  const told: string[] = []
  const leave = hints.watch(() => told.push('a'))
  hints.watch(() => {
    told.push('b')
  })()
  hints.notify('own')
  leave()
  await Promise.resolve()
  expect(told).toEqual([])
  const queued = vi.spyOn(globalThis, 'queueMicrotask')
  hints.notify('own')
  expect(queued).not.toHaveBeenCalled()
})
