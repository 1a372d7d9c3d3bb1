/** So many runs begin in a turn of the event loop, the others in those that follow, first come, first served. */

import { expect, it } from 'vitest'
import { createBeginTurns } from '../../../../src-engine/runtime/starting/begin-turns.ts'

function scene() {
  const planned: (() => void)[] = []
  const turns = createBeginTurns({ turn: (call) => void planned.push(call) })
  const begun: number[] = []
  const enter = (from: number, to: number): void => {
    for (let run = from; run < to; run += 1) {
      const wait = turns.enter()
      if (wait === null) begun.push(run)
      else void wait.then(() => begun.push(run))
    }
  }
  const turn = async (): Promise<void> => {
    for (const call of planned.splice(0)) call()
    await Promise.resolve()
  }
  return { begun, enter, turn, planned }
}

const upTo = (count: number) => Array.from({ length: count }, (_, run) => run)

it('sixteen runs begin in a turn of the event loop', async () => {
  const { begun, enter, turn, planned } = scene()
  enter(0, 20)
  expect(begun).toEqual(upTo(16))
  await turn()
  expect(begun).toEqual(upTo(20))
  enter(20, 33)
  // Four of this turn waited for it.
  expect(begun).toEqual(upTo(32))
  await turn()
  expect(begun).toEqual(upTo(33))
  await turn()
  await turn()
  expect(planned).toEqual([])
})

it('where time is virtual none waits', () => {
  const turns = createBeginTurns({})
  expect(Array.from({ length: 40 }, () => turns.enter())).toEqual(Array(40).fill(null))
})

it('who comes while others wait comes after them', async () => {
  const { begun, enter, turn } = scene()
  enter(0, 40)
  await turn()
  enter(40, 50)
  await turn()
  await turn()
  expect(begun).toEqual(upTo(50))
})
