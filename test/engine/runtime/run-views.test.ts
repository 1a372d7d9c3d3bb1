/** A run as readers see it is made of the groups that the store keeps; where something may be hidden, of its events. */

import { expect, onTestFinished, test } from 'vitest'
import type { EngineEvent } from '../../../src-engine/model/event.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { replayRun } from '../../../src-engine/model/replay.ts'
import { createRunViews } from '../../../src-engine/runtime/run-views.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { allEvents } from '../../conformance/scene.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import { FlowScene } from './control-flow/flow-scene.ts'

const names = Array.from({ length: 30 }, (_, index) => `n${index}`)
const nodes: JsonObject = Object.fromEntries(names.map((name) => [name, { kind: 'noop' }]))
const document = { nodes, edges: edgesOf(...names.slice(1).map((name, index) => `${names[index]}>${name}`)) }

/** A run that is over, and a store that counts how it is read. */
async function played() {
  const store = createMemoryStore()
  const scene = new FlowScene(store)
  onTestFinished(() => scene.close())
  await scene.launch()
  const run = await scene.play(document, {})
  const counts = { events: 0, groups: 0 }
  const counted: Store = {
    ...store,
    readEvents: (query) => {
      counts.events += 1
      return store.readEvents(query)
    },
    readGroups: async (query) => {
      counts.groups += 1
      return (await store.readGroups?.(query)) ?? null
    },
  }
  const own = (await allEvents(store)).filter(({ runId }) => runId === run.id)
  return { id: run.id, counted, counts, own }
}

test('a snapshot reads groups, is what replaying the events gives, and goes on from where it was', async () => {
  const { id, counted, counts, own } = await played()
  const views = createRunViews(counted)
  const { run, invocations, skipped } = replayRun(own)
  const last = own.at(-1)
  const snapshot = await views.snapshot(id)
  const place = { epoch: last?.epoch, seq: last?.seq }
  expect(snapshot).toEqual({ run, invocations: [...invocations.values()], skipped, ...place })
  expect(counts).toEqual({ events: 0, groups: 1 })
  expect(await views.snapshot(id)).toEqual(snapshot)
  expect(counts).toEqual({ events: 0, groups: 2 })
})

test('where something may have to be left out, events are looked at one by one', async () => {
  const { id, counted, counts, own } = await played()
  let looked = 0
  const hidden = {
    concerns: async () => true,
    events: async (events: readonly EngineEvent[]) => {
      looked += events.length
      return events
    },
    attempts: async () => [],
  }
  await createRunViews(counted, hidden).snapshot(id)
  expect(looked).toBe(own.length)
  expect(counts.events).toBeGreaterThan(0)
})

test('an earlier moment is read up to its event', async () => {
  const { id, counted, own } = await played()
  const middle = own[own.length >> 1]
  const { run, seq } = await createRunViews(counted).stateAt(id, middle?.seq ?? 0)
  expect(seq).toBe(middle?.seq)
  expect(run).toEqual(replayRun(own.filter((event) => event.seq <= seq)).run)
})
