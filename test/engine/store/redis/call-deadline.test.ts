/** Every call of a Redis store ends, also one that no server ever answers. */

import { expect, test } from 'vitest'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { graceMs } from '../../../../src-engine/store/partitioned/repair.ts'
import { callMsDefault, withCallDeadline } from '../../../../src-engine/store/redis/call-deadline.ts'
import { aClaim, aRun, starting } from '../../../conformance/story.ts'

/** A clock that a test moves on. */
function aClock() {
  let now = 0
  let set = 0
  const timers = new Map<() => void, number>()
  const clock = {
    now: () => now,
    after(ms: number, call: () => void) {
      set += 1
      timers.set(call, now + ms)
      return () => timers.delete(call)
    },
  }
  const goOn = (ms: number): void => {
    now += ms
    for (const [call, at] of [...timers]) {
      if (at > now) continue
      timers.delete(call)
      call()
    }
  }
  return { clock, goOn, timers: () => timers.size, timersSet: () => set }
}

test('ends with what was asked, and where, when there is no answer; each in its time', async () => {
  const { clock, goOn, timers } = aClock()
  const never = () => new Promise<never>(() => {})
  const store = withCallDeadline(
    { ...createMemoryStore({ partitions: 4 }), commit: never, fetch: never },
    { clock, callMs: 1_000 },
  )
  const first = store.commit(3, [starting(aRun())])
  goOn(600)
  const second = store.fetch(aClaim('a', { partition: 2 }))
  const ends = [first, second].map((call) => call.catch((thrown: unknown) => thrown))
  goOn(400)
  expect(await ends[0]).toMatchObject({
    code: 'redis_timeout',
    message: 'The store had no answer to commit in partition 3 within 1 s.',
    retryable: true,
  })
  expect(timers()).toBe(1)
  goOn(600)
  expect(await ends[1]).toMatchObject({ details: { what: 'fetch', partition: 2 } })
  expect(timers()).toBe(0)
})

test('an error stays what it is', async () => {
  const { clock } = aClock()
  const store = withCallDeadline(
    { ...createMemoryStore(), listDue: () => Promise.reject(new Error('as it was')) },
    { clock },
  )
  await expect(store.listDue({ partition: 0, now: 0, limit: 1 })).rejects.toThrow('as it was')
})

test('calls that follow each other set one timer, which ends once nothing is open', async () => {
  const { clock, goOn, timers, timersSet } = aClock()
  const store = withCallDeadline(createMemoryStore(), { clock, callMs: 1_000 })
  for (let step = 0; step < 10; step += 1) {
    expect(await store.fetch(aClaim('a'))).toEqual([])
    goOn(90)
  }
  expect(timersSet()).toBe(1)
  goOn(100)
  expect(timers()).toBe(0)
  expect(await store.fetch(aClaim('a'))).toEqual([])
  expect(timersSet()).toBe(2)
})

test('a call has its whole time though the timer was set for one that is over', async () => {
  const { clock, goOn, timersSet } = aClock()
  const never = () => new Promise<never>(() => {})
  const store = withCallDeadline({ ...createMemoryStore(), listDue: never }, { clock, callMs: 1_000 })
  expect(await store.fetch(aClaim('a'))).toEqual([])
  goOn(700)
  let ended: unknown = null
  const call = store.listDue({ partition: 0, now: 0, limit: 1 }).catch((thrown: unknown) => {
    ended = thrown
  })
  goOn(300)
  await Promise.resolve()
  expect([ended, timersSet()]).toEqual([null, 2])
  goOn(700)
  await call
  expect(ended).toMatchObject({ code: 'redis_timeout', details: { what: 'listDue' } })
})

test('no call takes as long as permits are left alone that only one side knows', () => {
  expect(callMsDefault).toBeLessThan(graceMs)
})
