/** A preview of publishing tells what still lies ahead of each run in flight that the new version changes. */

import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { FlowScene } from './control-flow/flow-scene.ts'

const log = (message: string) => ({ kind: 'log', parameters: { message } })
const delay = { kind: 'delay', parameters: { amount: 60, unit: 'seconds' } }

/** A run that is past `first` and stands at `wait`; `last` comes next, `branch` was never on its way. */
const drawn = {
  nodes: { first: log('a'), wait: delay, last: log('b'), end: log('c'), other: log('x') },
  edges: edgesOf('first>wait', 'wait>last', 'last>end', 'first>other'),
}

async function scene() {
  const here = new FlowScene(createMemoryStore())
  onTestFinished(() => here.close())
  await here.launch()
  const preview = (parts: JsonObject) =>
    here.within(here.engine.publishing.preview({ document: documentOf(parts), baseDirectory: null }))
  return { here, preview }
}

test('steps that are done don’t count, those ahead do, and what is new lies ahead of nobody', async () => {
  const { here, preview } = await scene()
  const runId = await here.start(drawn)
  await here.pass(1_000)
  expect(await here.statuses(runId)).toMatchObject({ first: 'SUCCESS', wait: 'WAITING' })
  const { nodes } = drawn
  const changed = { ...nodes, first: log('other'), last: log('other'), other: log('y'), added: log('z') }
  const { end: _, ...without } = changed
  const { ahead, inFlight } = await preview({
    nodes: without,
    edges: edgesOf('first>wait', 'wait>last', 'first>other', 'last>added'),
  })
  expect(inFlight).toMatchObject([{ count: 1 }])
  expect(ahead).toMatchObject([
    {
      runId,
      steps: [
        { nodeId: 'end', change: 'removed' },
        { nodeId: 'last', change: 'changed' },
      ],
    },
  ])
})

test('a run of the same version, or with nothing changed ahead, is not affected', async () => {
  const { here, preview } = await scene()
  const runId = await here.start(drawn)
  await here.pass(1_000)
  expect((await preview(drawn)).ahead).toMatchObject([{ runId, steps: [] }])
  const past = { ...drawn, nodes: { ...drawn.nodes, first: log('other') } }
  expect((await preview(past)).ahead).toMatchObject([{ runId, steps: [] }])
})

test('where a run stands counts as ahead, and so does all of the map that it is in', async () => {
  const { here, preview } = await scene()
  const inside = (message: string) => ({ ...log(message), parent: 'each' })
  const nodes = {
    each: { kind: 'map', parameters: { items: [1, 2] } },
    wait: { ...delay, parent: 'each' },
    say: inside('a'),
  }
  const runId = await here.start({ nodes, edges: edgesOf('wait>say') })
  await here.pass(1_000)
  const { ahead } = await preview({ nodes: { ...nodes, say: inside('b') }, edges: edgesOf('wait>say') })
  expect(ahead).toMatchObject([{ runId, steps: [{ nodeId: 'say', change: 'changed' }] }])
})
