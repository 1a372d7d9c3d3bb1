/** The stores of the product: every one passes the same suite. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeId } from '../../src-engine/model/ids.ts'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import type { SqliteOptions } from '../../src-engine/store/sqlite/sqlite-store.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import { newestFormAtOnce } from '../support/newest-form.ts'
import type { OpenedStore, StoreSubject } from './scene.ts'
import { start } from './story.ts'

const memory: StoreSubject = {
  name: 'memory',
  async open() {
    const store = createMemoryStore({ now: () => start })
    return { store, other: store, poll: () => undefined, dispose: () => store.close() }
  },
}

/** Options with a still clock, whose timers fire when a test says so. */
export function sqliteOptions(directory: string) {
  const timers = new Set<() => void>()
  const options: SqliteOptions = {
    directory,
    storeId: storeId('store-under-test'),
    migrations: newestFormAtOnce,
    clock: {
      now: () => start,
      after(_, call) {
        timers.add(call)
        return () => timers.delete(call)
      },
    },
  }
  const poll = (): void => {
    const due = [...timers]
    timers.clear()
    for (const call of due) call()
  }
  return { options, poll }
}

const sqliteInMemory: StoreSubject = {
  name: 'sqlite in memory',
  async open() {
    const { options, poll } = sqliteOptions(':memory:')
    const store = await openSqliteStore(options)
    return { store, other: store, poll, dispose: () => store.close() }
  },
}

async function openOnFile(connections: 1 | 2): Promise<OpenedStore> {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-store-'))
  const { options, poll } = sqliteOptions(directory)
  const store = await openSqliteStore(options)
  const other = connections === 1 ? store : await openSqliteStore({ ...options, storeId: storeId('ignored') })
  const open = new Set([store, other])
  const closeAll = async (): Promise<void> => {
    for (const item of open) await item.close()
  }
  return {
    store,
    other,
    poll,
    async reopen() {
      await closeAll()
      const again = await openSqliteStore(options)
      open.add(again)
      return again
    },
    async dispose() {
      await closeAll()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const sqliteOnFile: StoreSubject = { name: 'sqlite on a file', open: () => openOnFile(1) }
const sqliteTwice: StoreSubject = { name: 'sqlite, two connections on one file', open: () => openOnFile(2) }

export const stores: readonly StoreSubject[] = [memory, sqliteInMemory, sqliteOnFile, sqliteTwice]
