/** Units that share calls are answered as if each had been sent alone. */

import { expect, test } from 'vitest'
import { partitionKeys } from '../../../../src-engine/store/redis/layout.ts'
import { newPartitionState, newSeenRooms } from '../../../../src-engine/store/redis/partition-state.ts'
import type { Unit, UnitAnswer } from '../../../../src-engine/store/redis/unit.ts'
import { emptyUnit } from '../../../../src-engine/store/redis/unit.ts'
import { inBatches } from '../../../../src-engine/store/redis/unit-batches.ts'

const stateOf = (partition: number) =>
  newPartitionState(partitionKeys('p', partition), { epoch: 1, seq: 1, rooms: newSeenRooms() })
const unit = (at: number): Unit => ({ ...emptyUnit, at })
const noRoom = (at: number): UnitAnswer => ({ kind: 'no-room', key: String(at), holders: [] })
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Calls that are answered when the test says so. */
function scene() {
  const calls: { readonly ats: readonly number[]; readonly answer: (how: 'all' | 'none' | Error) => void }[] =
    []
  const { apply } = inBatches({
    apply: (_, units) =>
      new Promise((resolve, reject) => {
        const ats = units.map(({ at }) => at)
        calls.push({
          ats,
          answer(how) {
            if (how instanceof Error) reject(how)
            else resolve(how === 'none' ? null : ats.map(noRoom))
          },
        })
      }),
  })
  return { apply, calls }
}

test('what comes in one turn, or while a call is under way, goes together, each partition by itself', async () => {
  const { apply, calls } = scene()
  const [a, b] = [stateOf(0), stateOf(1)]
  const first = Promise.all([apply(a, [unit(1)]), apply(b, [unit(2)]), apply(a, [unit(3), unit(4)])])
  await turn()
  expect(calls.map(({ ats }) => ats)).toEqual([[1, 3, 4], [2]])
  const later = Promise.all([apply(a, [unit(5)]), apply(a, [unit(6)])])
  await turn()
  expect(calls).toHaveLength(2)
  for (const { answer } of calls) answer('all')
  expect(await first).toEqual([[noRoom(1)], [noRoom(2)], [noRoom(3), noRoom(4)]])
  expect(calls.at(-1)?.ats).toEqual([5, 6])
  calls.at(-1)?.answer('none')
  expect(await later).toEqual([null, null])
})

test('what one call could not do all of its units are told, and the next goes on', async () => {
  const { apply, calls } = scene()
  const state = stateOf(0)
  const failed = Promise.allSettled([apply(state, [unit(1)]), apply(state, [unit(2)])])
  await turn()
  const next = apply(state, [unit(3)])
  calls[0]?.answer(new Error('gone'))
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await turn()
  calls[1]?.answer('all')
  expect(await next).toEqual([noRoom(3)])
})
