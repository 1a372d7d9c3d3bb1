/** A start that was decided just before a failover: the fences of its steps are of an epoch that has passed. */

import { afterEach, expect, it } from 'vitest'
import type { CommitAnswer } from '../../../../src-engine/model/checkpoint.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const one = documentOf({ nodes: { a: { kind: 'noop' } } })
const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const refused = (record: string): CommitAnswer => {
  const refusal = { kind: 'lost-race', record, previous: null, expected: null, actual: null } as const
  return { kind: 'refused', refusal }
}

/** A store that refuses the first starts, each time with a new epoch, or with none. */
function failingOver(
  times: number,
  grows: boolean,
): { readonly store: Store; readonly refusals: () => number } {
  const memory = createMemoryStore()
  const info = { ...memory.info, epochs: [1] }
  let left = times
  const store: Store = {
    ...memory,
    info,
    commit: (partition, checkpoints) => {
      const [first] = checkpoints
      if (first?.opId.startsWith('start:') !== true || left === 0)
        return memory.commit(partition, checkpoints)
      left -= 1
      // The memory store itself knows of one epoch only: it comes back to that.
      if (grows) info.epochs[0] = left === 0 ? 1 : (info.epochs[0] ?? 0) + 2
      return Promise.resolve([refused(first.opId)])
    },
  }
  return { store, refusals: () => times - left }
}

async function scene(store: Store): Promise<EnginesScene> {
  const here = new EnginesScene(store)
  scenes.push(here)
  await here.launch()
  return here
}

it('is decided again for the new one', async () => {
  const { store, refusals } = failingOver(2, true)
  const here = await scene(store)
  const run = await here.start(one)
  await here.end()
  expect((await here.run(run)).status).toBe('SUCCEEDED')
  expect(refusals()).toBe(2)
})

it('is not decided again when the epoch is the same: somebody else was first', async () => {
  const { store, refusals } = failingOver(9, false)
  const here = await scene(store)
  await expect(here.start(one)).rejects.toMatchObject({ code: 'lost_race' })
  expect(refusals()).toBe(1)
})
