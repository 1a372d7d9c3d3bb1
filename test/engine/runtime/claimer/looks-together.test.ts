/** What partitions tell in one turn of the event loop is looked at together. */

import { expect, it } from 'vitest'
import { fakeClock } from '../../shell/shell-fixtures.ts'
import { bareClaimer } from './bare-claimer.ts'

/** A claimer with nothing but what a look asks for. */
function scene(partitions: number) {
  const planned: (() => void)[] = []
  const answers: (() => void)[] = []
  let looks = 0
  const seen = { room: 4 }
  const store = {
    info: { multiProcess: false, partitions: Array.from({ length: partitions }), epochs: [] },
    claim: () => {
      looks += 1
      return new Promise((resolve) => answers.push(() => resolve({ claimed: [], blocked: [] })))
    },
  }
  const clock = { ...fakeClock(), turn: (call: () => void) => void planned.push(call) }
  const claimer = bareClaimer(clock, store, () => seen.room)
  // Promises that are due; no time passes.
  const settled = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) await Promise.resolve()
  }
  return {
    claimer,
    settled,
    seen,
    looks: () => looks,
    turn: async (): Promise<void> => {
      for (const call of planned.splice(0)) call()
      await settled()
    },
    answer: async (): Promise<void> => {
      for (const call of answers.splice(0)) call()
      await settled()
    },
  }
}

it('of several partitions: once, at the end of the turn', async () => {
  const { claimer, settled, looks, turn, answer } = scene(4)
  claimer.start()
  await settled()
  claimer.poke()
  expect(looks()).toBe(0)
  await turn()
  expect(looks()).toBe(1)
  await answer()
  await turn()
  expect(looks()).toBe(1)
})

it('what comes while a look is under way is looked at after it', async () => {
  const { claimer, looks, turn, answer } = scene(4)
  claimer.start()
  await turn()
  claimer.poke()
  await answer()
  expect(looks()).toBe(1)
  await turn()
  expect(looks()).toBe(2)
})

it('of one partition: at once', async () => {
  const { claimer, settled, looks } = scene(1)
  claimer.start()
  await settled()
  expect(looks()).toBe(1)
})

it('what is told while there is no room is looked for as soon as there is, once', async () => {
  const { claimer, settled, looks, answer, seen } = scene(1)
  claimer.start()
  await settled()
  await answer()
  claimer.slotFreed()
  await settled()
  expect(looks()).toBe(1)
  seen.room = 0
  claimer.poke()
  seen.room = 1
  claimer.slotFreed()
  await settled()
  expect(looks()).toBe(2)
  await answer()
  claimer.slotFreed()
  await settled()
  expect(looks()).toBe(2)
})
