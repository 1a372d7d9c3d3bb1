import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { World } from './world.ts'

/** A call to the store, as a scene counts it. */
function call(world: World): () => void {
  world.pending += 1
  return () => {
    world.pending -= 1
  }
}

/** What a file or a server takes, some times over: it comes from outside of the event loop. */
async function outside(times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) await readFile(import.meta.filename)
}

test('time stands still while a call is under way, and nobody asks all the time whether it has been answered', async () => {
  const world = new World()
  const happened: string[] = []
  world.at(world.now + 1, () => happened.push('next'))
  const answer = call(world)
  const turns = vi.spyOn(globalThis, 'setImmediate')
  const running = world.run(world.now + 1, () => false)
  await outside(20)
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
  await outside()
  answer()
  await both
  expect(world.pending).toBe(0)
})

test('what an answer sets in motion comes to rest before time goes on', async () => {
  const world = new World()
  const happened: string[] = []
  const askTwice = async () => {
    for (const told of ['first answer', 'second answer']) {
      const answer = call(world)
      await outside()
      happened.push(told)
      answer()
    }
  }
  world.at(world.now, () => void askTwice())
  world.at(world.now + 1, () => happened.push('later'))
  await world.run(world.now + 1, () => false)
  expect(happened).toEqual(['first answer', 'second answer', 'later'])
})
