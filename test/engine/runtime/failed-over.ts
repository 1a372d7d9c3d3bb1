/** A store in memory whose server is replaced by one that knows less. */

import type { Register } from '../../../src-engine/model/checkpoint.ts'
import { noRecords } from '../../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'

export interface FailingOver {
  readonly store: Store
  /** The registers as they are, to be put back by a failover. */
  readonly snapshot: () => ReadonlyMap<string, Register>
  /** Another server leads, in a new epoch, with these registers. */
  readonly failOver: (registers: ReadonlyMap<string, Register>) => void
}

export function failingOver(): FailingOver {
  const kept = noRecords(0)
  const store = createMemoryStore({ records: [kept] })
  return {
    store,
    snapshot: () => new Map(kept.registers),
    failOver: (registers) => {
      kept.registers.clear()
      for (const [key, register] of registers) kept.registers.set(key, register)
      kept.head = { ...kept.head, epoch: kept.head.epoch + 1, seq: 0 }
      const epochs = store.info.epochs as number[]
      epochs[0] = kept.head.epoch
    },
  }
}
