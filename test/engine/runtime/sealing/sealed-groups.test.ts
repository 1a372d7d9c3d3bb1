/** The feed of a workspace that seals, in groups: each is opened on its way, and says what its events say. */

import { afterEach, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { allEvents, bare, groupPage, groupsFrom } from '../../../conformance/scene.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'
import { machineOn } from './seal-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

async function engineOn(store: Store): Promise<FlowScene> {
  const scene = new FlowScene(store)
  scenes.push(scene)
  await scene.launch()
  return scene
}

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const input = { secret: 'canary-1' }

test('groups are handed on opened, and say what the events say, with the key and without', async () => {
  const raw = createMemoryStore()
  const owner = await machineOn(raw, true)
  const here = await engineOn(owner.store)
  const nodes = {
    a: transform('input.secret & "!"'),
    b: { kind: 'debug', parameters: { failTimes: 9, failMessage: 'no {{ input.secret }}' } },
  }
  await here.play({ nodes, edges: edgesOf('a>b') }, input)
  const start = { partition: 0, epoch: 0, seq: 0 }
  const told = JSON.stringify(await groupsFrom(owner.store, start))
  expect(told).toContain('canary-1!')
  const reader = await machineOn(raw)
  expect(JSON.stringify(await groupsFrom(reader.store, start))).not.toContain('canary')
  for (const store of [owner.store, reader.store]) {
    const all = bare(await allEvents(store))
    expect(await groupsFrom(store, start, { limit: 2 })).toEqual(all)
    for (const [index, event] of all.entries())
      expect(await groupsFrom(store, event)).toEqual(all.slice(index + 1))
  }
})

test('of groups without sealed values nothing is written anew', async () => {
  const raw = createMemoryStore()
  const plain = await engineOn((await machineOn(raw)).store)
  await plain.play({ nodes: { a: transform('1') } }, input)
  const query = { after: { partition: 0, epoch: 0, seq: 0 }, limit: 100 }
  const { groups: kept } = await groupPage(raw, query)
  const { store } = await machineOn(raw, true)
  const { groups } = await groupPage(store, query)
  expect(kept.length).toBeGreaterThan(1)
  for (const [index, group] of kept.entries()) expect(groups[index]).toBe(group)
})
