/** A look after what was taken may have come to nothing. */

import { expect, it } from 'vitest'
import { fakeClock } from '../../shell/shell-fixtures.ts'
import { bareClaimer } from './bare-claimer.ts'

/** A claimer of a store whose claims take all there is, which rests so long then. */
function scene(restMs: number | null) {
  const clock = fakeClock()
  const looks: number[] = []
  let onLook = async (): Promise<void> => {}
  let rests = restMs
  const store = {
    info: { multiProcess: false, partitions: [0, 1], epochs: [] },
    claim: async () => {
      looks.push(clock.now())
      await onLook()
      const restsUntil = rests === null ? {} : { restsUntil: clock.now() + rests }
      return { claimed: [], blocked: [], ...restsUntil }
    },
  }
  const claimer = bareClaimer(clock, store, () => 4)
  /** Promises that are due after each moment. */
  const pass = async (ms: number): Promise<void> => {
    for (let count = 0; count <= ms; count += 1) {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
      if (count < ms) clock.advance(1)
    }
  }
  return {
    claimer,
    looks,
    pass,
    onLook: (call: () => void) => {
      onLook = async () => {
        onLook = async () => {}
        call()
      }
    },
    rest: (ms: number | null) => {
      rests = ms
    },
  }
}

it('comes as soon as the store finds it again', async () => {
  const { claimer, looks, pass, rest } = scene(1_000)
  claimer.start()
  await pass(1)
  rest(null)
  await pass(4_000)
  expect(looks).toEqual([0, 1_001])
})

it('comes once for all that was taken meanwhile, and after the last of it', async () => {
  const { claimer, looks, pass, rest } = scene(1_000)
  claimer.start()
  await pass(400)
  claimer.poke()
  await pass(400)
  claimer.poke()
  await pass(1)
  rest(null)
  await pass(4_000)
  expect(looks).toEqual([0, 400, 800, 1_001, 1_801])
})

it('isn’t for whoever has stopped, and is again for whoever begins again', async () => {
  const { claimer, looks, pass, onLook } = scene(1_000)
  claimer.start()
  await pass(1)
  claimer.stop()
  await pass(99)
  // Also when the answer comes after that.
  onLook(() => claimer.stop())
  claimer.start()
  await pass(400)
  claimer.start()
  await pass(1_100)
  expect(looks).toEqual([0, 100, 500, 1_501])
})
