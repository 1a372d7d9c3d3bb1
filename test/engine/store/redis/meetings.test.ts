/** What writes of a partition wait for, one at a time. */

import { expect, test } from 'vitest'
import { createMeetings } from '../../../../src-engine/store/redis/meetings.ts'

/** Work that is over when the test says so. */
function works() {
  const begun: PromiseWithResolvers<void>[] = []
  const work = (): Promise<void> => {
    const one = Promise.withResolvers<void>()
    begun.push(one)
    return one.promise
  }
  return { begun, work }
}

test('what is met at the same time is met once, and each partition by itself', async () => {
  const meetings = createMeetings<string>()
  const { begun, work } = works()
  const both = [meetings.meet('a', work), meetings.meet('a', work)]
  void meetings.meet('b', work)
  expect(begun).toHaveLength(2)
  begun[0]?.resolve()
  await Promise.all(both)
  expect([meetings.underWay('a'), meetings.underWay('b')]).toEqual([undefined, expect.any(Promise)])
})

test('what is to come after it begins once that is over, once for all who ask meanwhile, also where that failed', async () => {
  const meetings = createMeetings<string>()
  const { begun, work } = works()
  const first = meetings.meetAfter('a', work)
  const after = [meetings.meetAfter('a', work), meetings.meetAfter('a', work)]
  expect(begun).toHaveLength(1)
  begun[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  expect(begun).toHaveLength(2)
  expect(meetings.underWay('a')).toBe(after[0])
  // By now it has looked, too.
  const last = meetings.meetAfter('a', work)
  begun[1]?.resolve()
  await Promise.all(after)
  begun[2]?.resolve()
  await last
  expect([begun.length, meetings.underWay('a')]).toEqual([3, undefined])
})
