/** The stores of the product: every one passes the same suite. */

import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import type { StoreSubject } from './scene.ts'

const memory: StoreSubject = {
  name: 'memory',
  async open() {
    const store = createMemoryStore()
    return { store, other: store, poll: () => undefined, dispose: () => store.close() }
  },
}

export const stores: readonly StoreSubject[] = [memory]
