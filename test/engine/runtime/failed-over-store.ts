/** A store in memory whose server may fail over. */

import { noRecords } from '../../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'

export function aFailingOverStore() {
  const records = noRecords(0)
  const store = createMemoryStore({ records: [records] })
  /** Another server leads. */
  const failOver = (): void => {
    const epochs: number[] = store.info.epochs as number[]
    epochs[0] = records.head.epoch + 1
    records.head = { ...records.head, epoch: records.head.epoch + 1, seq: 0 }
  }
  return { records, store, failOver }
}
