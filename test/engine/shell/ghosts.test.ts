/** The last runs of a workflow, read from a store. */

import { afterEach, expect, it } from 'vitest'
import { workflowId } from '../../../src-engine/model/ids.ts'
import { ghostStepsMax } from '../../../src-engine/model/limits.ts'
import { readGhosts } from '../../../src-engine/shell/ghosts.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { FlowScene } from '../runtime/control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const parts = {
  nodes: { a: { kind: 'transform', parameters: { expression: 'input.n > 2 ? $error("no") : 1' } } },
}

async function played(): Promise<{ readonly store: Store; readonly of: ReturnType<typeof workflowId> }> {
  const here = new FlowScene(createMemoryStore())
  scenes.push(here)
  await here.launch()
  const runs = []
  for (const n of [1, 2, 3, 4]) runs.push(await here.play(parts, { n }))
  return { store: here.store, of: workflowId(runs[0]?.workflowId ?? '') }
}

it('has the newest that ended, as many as were asked for', async () => {
  const { store, of } = await played()
  const all = await readGhosts(store, { workflowId: of, limit: 100 })
  expect(all).toMatchObject({ runs: 4, statuses: { SUCCEEDED: 2, FAILED: 2 } })
  expect(all.nodes).toMatchObject([{ nodeId: 'a', runs: 4, failed: 2 }])
  const two = await readGhosts(store, { workflowId: of, limit: 2 })
  expect(two).toMatchObject({ runs: 2, statuses: { FAILED: 2 } })
  expect(await readGhosts(store, { workflowId: workflowId('wf_other'), limit: 5 })).toMatchObject({ runs: 0 })
})

it('reads no more steps than a picture needs, and the newest run whatever its size', async () => {
  const { store, of } = await played()
  let reads = 0
  const large: Store = {
    ...store,
    load: (async (partition: number, kind: 'invocations', input: never) => {
      const found = await store.load(partition, kind, input)
      if (kind === 'invocations') reads += 1
      return kind === 'invocations' ? Array.from({ length: ghostStepsMax }, () => found[0]) : found
    }) as unknown as Store['load'],
  }
  expect(await readGhosts(large, { workflowId: of, limit: 100 })).toMatchObject({ runs: 1 })
  expect(reads).toBe(2)
})
