import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { World } from './world.ts'

/** A call to the store, as a scene counts it. */
function call(world: World): () => void {
  world.pending += 1
  return () => {
    world.pending -= 1
  }
}

test('time stands still while a call is under way, and nobody asks all the time whether it has been answered', async () => {
  const world = new World()
  const happened: string[] = []
  world.at(world.now + 1, () => happened.push('next'))
  const answer = call(world)
  const turns = vi.spyOn(globalThis, 'setImmediate')
  const running = world.run(world.now + 1, () => false)
  // As long as a server takes.
  await pause(20)
  expect(happened).toEqual([])
  expect(turns.mock.calls.length).toBeLessThan(5)
  answer()
  await running
  expect(happened).toEqual(['next'])
})

test('two who wait for the same call both go on', async () => {
  const world = new World()
  const answer = call(world)
  const both = Promise.all([world.run(world.now, () => false), world.run(world.now, () => false)])
  await pause(1)
  answer()
  await both
  expect(world.pending).toBe(0)
})

test('what an answer sets in motion comes to rest before time goes on', async () => {
  const world = new World()
  const happened: string[] = []
  world.at(world.now, () => {
    const answer = call(world)
    setTimeout(() => {
      answer()
      const next = call(world)
      setTimeout(() => {
        happened.push('second answer')
        next()
      }, 1)
    }, 1)
  })
  world.at(world.now + 1, () => happened.push('later'))
  await world.run(world.now + 1, () => false)
  expect(happened).toEqual(['second answer', 'later'])
})
