/** A process that stands still between taking a permit and using it, while others repair. */

import { beforeEach, expect, it } from 'vitest'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import { graceMs } from '../../../../src-engine/store/partitioned/repair.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { accept, theInvocation } from '../../../conformance/scene.ts'
import { moving, start, starting } from '../../../conformance/story.ts'
import { claimOf, holdersOf, home, idElsewhere, key, runs, stepOf } from './permit-scene.ts'

let now: number
/** How many takes are as slow. */
let stands: number
/** By how much the clock of the process goes on meanwhile. */
let forMs: number
/** What others do then, once they have repaired. */
let others: () => Promise<unknown>
let raw: RawStore
let store: Store

beforeEach(async () => {
  now = start
  stands = 1
  forMs = graceMs
  others = async () => undefined
  const memory = createMemoryStore({ partitions: 4 })
  const another = createPartitionedStore(memory, { wholeLookMs: 0 })
  for (const run of runs) await accept(another, starting(run, [stepOf(run)]))
  const takeSlowly: RawStore['takeSlots'] = async (partition, asked) => {
    const answer = await memory.takeSlots(partition, asked)
    if (stands === 0) return answer
    stands -= 1
    await another.repair?.(now)
    await another.repair?.(now + graceMs)
    now += forMs
    await others()
    return answer
  }
  raw = memory
  const slow = new Proxy(memory, {
    get: (target, name) => (name === 'takeSlots' ? takeSlowly : (Reflect.get(target, name) as unknown)),
  })
  store = createPartitionedStore(slow, { wholeLookMs: 0, clock: { now: () => now, after: () => () => {} } })
})

/** A step that has begun to wait takes the permit with that. */
const takesLate = async () => {
  const record = await theInvocation(store, idElsewhere())
  const moved = moving(record, ['WAITING'], { set: { notBefore: start + 1 } })
  const take = [{ key, holder: record.id, limit: 1, expiresAt: null }]
  const [answer] = await store.commit(0, [{ ...moved, writes: { ...moved.writes, take } }])
  return { answer, id: record.id }
}
const another = 'run_x~p0/another'
const takenByAnother = () =>
  raw.takeSlots(home, { takes: [{ key, holder: another, limit: 1, expiresAt: null, by: 'x' }], at: now })

it('claims nothing with it, and another time once more', async () => {
  const invocationIds = [idElsewhere()]
  expect(await claimOf(store, 'a', { invocationIds })).toEqual({ claimed: [], blocked: [] })
  expect(await holdersOf(store)).toEqual([])
  expect((await claimOf(store, 'a', { invocationIds })).claimed).toEqual(invocationIds)
})

it.for([graceMs, -1])('takes it anew for a checkpoint, whose clock went %d ms on', async (ms) => {
  forMs = ms
  const { answer, id } = await takesLate()
  expect(answer?.kind).toBe('accepted')
  expect(await holdersOf(store)).toEqual([id])
})

it('is refused where another has got it', async () => {
  others = takenByAnother
  const { answer } = await takesLate()
  expect(answer).toEqual({ kind: 'refused', refusal: { kind: 'slot-taken', key, holders: [another] } })
  expect(await holdersOf(store)).toEqual([another])
})

it('goes on where every take is as slow', async () => {
  stands = 100
  expect((await takesLate()).answer?.kind).toBe('accepted')
  expect(stands).toBe(97)
})
