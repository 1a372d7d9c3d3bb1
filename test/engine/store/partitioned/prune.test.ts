/** Pruning while a partition is away: it can't say what its open runs name, so nothing goes. */

import { expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import { namedAcross } from '../../../conformance/prune-across.ts'
import { start } from '../../../conformance/story.ts'

const all = { partition: 0, endedBefore: null, keep: 0, blobsBefore: null, limit: 10 }

it('removes nothing until every partition has said what its open runs name', async () => {
  const memory = createMemoryStore({ partitions: 4 })
  let isAway = true
  const raw: RawStore = {
    ...memory,
    neededFor: (partition) =>
      isAway && partition === 2
        ? Promise.reject(new SagasmithError('redis_unreachable'))
        : memory.neededFor(partition),
  }
  const store = createPartitionedStore(raw, { clock: { now: () => start, after: () => () => {} } })
  await namedAcross(store)
  expect(await store.prune(all)).toEqual({ runs: 0, blobs: 0, more: false })
  isAway = false
  // The first to ask hears that it is back.
  await store.prune(all)
  expect(await store.prune(all), 'all but what is open and named').toMatchObject({ runs: 1 })
})
