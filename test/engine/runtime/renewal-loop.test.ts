/** The heartbeat beside the main loop: renews for one that lives, and lets go of one that stands still. */

import { expect, test } from 'vitest'
import { minute, second } from '../../../src-engine/model/time.ts'
import type { HeartbeatNews } from '../../../src-engine/runtime/heartbeat-driver.ts'
import { createRenewalLoop } from '../../../src-engine/runtime/renewal-loop.ts'
import { aRunner } from '../../conformance/story.ts'
import { SimulatedProcess, World } from '../../simulation/world.ts'

const times = { claimTtlMs: 5 * minute, stallLimitMs: minute, intervalMs: 15 * second }

function scene(given: Partial<typeof times> = {}) {
  const world = new World()
  const news: HeartbeatNews[] = []
  let progress = 0
  let failing = false
  const loop = createRenewalLoop({
    ...times,
    ...given,
    clock: new SimulatedProcess(world, 1).clock(),
    held: () => ({ runner: aRunner('a'), leases: [] }),
    progress: () => progress,
    renew: () =>
      failing ? Promise.reject(new Error('locked')) : Promise.resolve({ lost: [], cancelRequested: [] }),
    tell: (told) => void news.push(told),
  })
  loop.start()
  return {
    /** The main loop turns, or stands still, while time passes. */
    pass: async (ms: number, alive = true) => {
      for (let step = 0; step < ms; step += 5 * second) {
        if (alive) progress += 1
        await world.run(world.now + 5 * second, () => false)
      }
      return news.splice(0).map((told) => (told.kind === 'failed' ? `failed ${told.inARow}` : told.kind))
    },
    fail: (does: boolean) => {
      failing = does
    },
  }
}

test('renews each interval for a main loop that turns', async () => {
  const { pass } = scene()
  expect(await pass(minute)).toEqual(['renewed', 'renewed', 'renewed', 'renewed'])
})

test('renews through a short stall, lets go at the limit, and goes on when it turns again', async () => {
  const { pass } = scene()
  await pass(minute)
  expect(await pass(45 * second, false)).toEqual(['renewed', 'renewed', 'renewed'])
  expect(await pass(minute, false)).toEqual(['withheld'])
  expect(await pass(15 * second)).toEqual(['renewed'])
})

test('never renews for a stall of more than half a lease, whatever the limit says', async () => {
  const { pass } = scene({ claimTtlMs: minute })
  await pass(minute)
  expect(await pass(minute, false)).toEqual(['renewed', 'withheld'])
})

test('counts failures in a row, and from the beginning after one that went well', async () => {
  const { pass, fail } = scene()
  fail(true)
  expect(await pass(30 * second)).toEqual(['failed 1', 'failed 2'])
  fail(false)
  expect(await pass(15 * second)).toEqual(['renewed'])
  fail(true)
  expect(await pass(15 * second)).toEqual(['failed 1'])
})
