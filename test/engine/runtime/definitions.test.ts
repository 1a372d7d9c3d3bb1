/** Versions that runs are bound to, and that a failover may have taken back for a moment. */

import { expect, test } from 'vitest'
import { definitionHash } from '../../../src-engine/model/ids.ts'
import type { WorkflowVersion } from '../../../src-engine/model/workflow-version.ts'
import { createDefinitions } from '../../../src-engine/runtime/definitions.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { SimulatedProcess, World } from '../../simulation/world.ts'

const hash = definitionHash('w1_1')
const version = { hash } as WorkflowVersion

/** A store that has the version from the look with that number on. */
function scene(thereFrom: number, given: Partial<Store> = {}) {
  const world = new World()
  let looks = 0
  const load: Store['load'] = async () => {
    looks += 1
    return looks > thereFrom ? version : null
  }
  const store: Store = { ...createMemoryStore(), load, ...given }
  const clock = new SimulatedProcess(world, 1).clock()
  const { version: find } = createDefinitions(store, 0, { specsByKind: new Map(), clock })
  const found = find(hash).then(
    () => 'found',
    ({ code }: { readonly code: string }) => code,
  )
  const began = world.now
  const settled = async () => {
    let answer: string | null = null
    void found.then((told) => {
      answer = told
    })
    await world.run(began + 60_000, () => answer !== null)
    return { answer, looks, tookMs: world.now - began }
  }
  return settled()
}

const mayLose: Partial<Store> = { confirm: async () => {} }

test('one that isn’t there is looked for again, for it may be brought back within the second in which claims wait', async () => {
  expect(await scene(0, mayLose)).toEqual({ answer: 'found', looks: 1, tookMs: 0 })
  expect(await scene(3, mayLose)).toMatchObject({ answer: 'found', looks: 4 })
  const gone = await scene(99, mayLose)
  expect(gone.answer).toBe('workflow_not_found')
  expect(gone.tookMs).toBeGreaterThan(1_000)
  expect(gone.tookMs).toBeLessThan(2_000)
})

test('where nothing is ever taken back it isn’t waited for', async () => {
  expect(await scene(1)).toEqual({ answer: 'workflow_not_found', looks: 1, tookMs: 0 })
})
