import { expect, it } from 'vitest'
import { observedStore } from '../../../src-engine/runtime/observed-store.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../src-engine/store/partitioned/partitioned-store.ts'
import { fakeClock } from '../shell/shell-fixtures.ts'

it('has every operation of the store it watches, those too that only some have', () => {
  const plain = createMemoryStore()
  const partitioned = createPartitionedStore(createMemoryStore({ partitions: 2 }))
  for (const store of [plain, partitioned]) {
    const watched = observedStore(store, [], fakeClock())
    expect(Object.keys(watched).sort()).toEqual(Object.keys(store).sort())
  }
  expect(observedStore(partitioned, [], fakeClock())).toHaveProperty('repair', expect.any(Function))
})
