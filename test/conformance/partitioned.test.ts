/** A store over several partitions is a store like any other; and what crosses them comes right. */

import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../src-engine/store/partitioned/partitioned-store.ts'
import type { StoreSubject } from './scene.ts'
import { start } from './story.ts'
import { partitionedSuite } from './suite.ts'
import { testTakers } from './takers.ts'

const subject: StoreSubject = {
  name: 'memory in four partitions',
  async open() {
    const raw = createMemoryStore({ now: () => start, partitions: 4 })
    const store = createPartitionedStore(raw, { wholeLookMs: 0 })
    return { store, other: store, poll: () => undefined, dispose: () => store.close() }
  },
}

partitionedSuite(subject)

testTakers({
  name: 'memory',
  async open() {
    const raw = createMemoryStore({ now: () => start, partitions: 1 })
    return { raw, dispose: () => raw.close() }
  },
})
