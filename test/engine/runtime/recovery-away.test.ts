/** A runner dies while a part of the store is away: what it owned there isn't forgotten. */

import { expect, test } from 'vitest'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { FlowScene } from './control-flow/flow-scene.ts'

test('a dead runner is asked about again until every partition has answered', async () => {
  const memory = createMemoryStore()
  let isAway = false
  const away = { partition: 1, since: 0, code: 'redis_timeout', message: 'Partition 1 doesn’t answer.' }
  const store: Store = {
    ...memory,
    listExpired: async (query) => (isAway ? [] : memory.listExpired(query)),
    missing: () => (isAway ? [away] : []),
  }
  const scene = new FlowScene(store)
  await scene.launch({ name: 'attempt.before-execute', nth: 1 })
  const id = await scene.start({
    nodes: { a: { kind: 'transform', sideEffect: 'keyed', parameters: { expression: '1' } } },
  })
  expect(scene.isDead).toBe(true)
  isAway = true
  await scene.launch()
  await scene.pass(5_000)
  expect(await scene.statuses(id)).toEqual({ a: 'RUNNING' })
  isAway = false
  // Long before the lease has run out.
  await scene.pass(5_000)
  expect((await scene.run(id)).status).toBe('SUCCEEDED')
  await scene.close()
})
