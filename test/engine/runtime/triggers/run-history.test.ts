/** Who reads the history for triggers, and when nobody does. */

import { afterEach, expect, test } from 'vitest'
import { second } from '../../../../src-engine/model/time.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { afterRun } from './run-suite.ts'
import { cron, onEvent, TriggerScene, withTriggers } from './trigger-scene.ts'

const scenes: TriggerScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

async function counted(engines: number) {
  const store = createMemoryStore()
  let reads = 0
  const counting: Store = {
    ...store,
    readEvents: (query) => {
      if (query.runId === null) reads += 1
      return store.readEvents(query)
    },
  }
  const scene = new TriggerScene(counting)
  scenes.push(scene)
  await scene.launchAll(engines)
  const play = async (runs: number) => {
    reads = 0
    for (let run = 0; run < runs; run += 1) {
      await scene.start(withTriggers({}))
      await scene.pass(0)
      await scene.end()
      await scene.pass(second)
    }
    return reads
  }
  return { scene, play }
}

test('while no trigger waits for runs, nobody reads what happens to them', async () => {
  const { scene, play } = await counted(2)
  expect(await play(3)).toBe(0)
  await scene.publish(withTriggers({ t: onEvent('a'), u: cron('0 0 1 1 *') }, { id: 'l' }))
  expect(await play(3)).toBe(0)
  await scene.publish(withTriggers({ t: afterRun() }, { id: 'l' }))
  expect(await play(3)).toBeGreaterThan(0)
  await scene.publish(withTriggers({}, { id: 'l' }))
  await play(1)
  expect(await play(3)).toBe(0)
})

test('one of several processes reads', async () => {
  const alone = await counted(1)
  await alone.scene.publish(withTriggers({ t: afterRun({ workflow: 'other' }) }, { id: 'l' }))
  await alone.play(1)
  const once = await alone.play(5)
  const together = await counted(4)
  await together.scene.publish(withTriggers({ t: afterRun({ workflow: 'other' }) }, { id: 'l' }))
  await together.play(1)
  expect(await together.play(5)).toBeLessThan(2 * once)
})

test('a store that fails now and then delays the reader, and never has it begin anew', async () => {
  const store = createMemoryStore()
  let state: 'well' | 'silent' | 'shaky' = 'well'
  let loads = 0
  const shaky: Store = {
    ...store,
    readEvents: (query) =>
      state === 'silent' && query.runId === null
        ? Promise.reject(new Error('away'))
        : store.readEvents(query),
    load: (partition, kind, input) => {
      const fails = state === 'shaky' && kind === 'run' && (loads += 1) % 4 === 0
      return fails ? Promise.reject(new Error('away')) : store.load(partition, kind, input)
    },
  }
  const scene = new TriggerScene(shaky)
  scenes.push(scene)
  await scene.launchAll(1)
  await scene.publish(withTriggers({ t: afterRun() }, { id: 'l' }))
  state = 'silent'
  const count = 12
  for (let run = 0; run < count; run += 1) {
    await scene.start(withTriggers({}))
    await scene.pass(0)
    await scene.end()
    await scene.pass(second)
  }
  state = 'shaky'
  await scene.pass(30 * second)
  expect(await scene.firings()).toHaveLength(count)
})
