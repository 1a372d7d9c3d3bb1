/** The stores that months are played on within a process. */

import { storeId } from '../../../src-engine/model/ids.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import { newestFormAtOnce } from '../../support/newest-form.ts'
import { partitionedOf } from '../stores.ts'
import type { OpenMonthStore } from './play.ts'

const noTimers = { now: () => 0, after: () => () => {} }

/** By name; each gives an empty store. */
export const monthStores: Readonly<Record<string, OpenMonthStore>> = {
  memory: async (ledger) => {
    const store = ledger.noting(createMemoryStore())
    return { connect: async () => store, close: () => store.close() }
  },
  'memory in four partitions': async (ledger) => {
    const store = partitionedOf(ledger.noting(createMemoryStore({ partitions: 4 })))
    return { connect: async () => store, close: () => store.close() }
  },
  sqlite: async (ledger) => {
    const opened = await openSqliteStore({
      directory: ':memory:',
      storeId: storeId('simulated'),
      migrations: newestFormAtOnce,
      clock: noTimers,
    })
    const store = ledger.noting(opened)
    return { connect: async () => store, close: () => store.close() }
  },
}
