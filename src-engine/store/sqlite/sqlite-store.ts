/** The SQLite store: one data file, one writing connection per process, as many processes as join. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreId } from '../../model/ids.ts'
import type { Random } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { Store } from '../store.ts'
import { blockedMsMax, createBusyPauses } from './busy-pauses.ts'
import type { Database, Durability } from './connection.ts'
import { busyTimeoutMs, loadBinding, openConnection } from './connection.ts'
import { createStore } from './create-store.ts'
import type { ProcessProbe } from './inspect.ts'
import { deadHolders, inspectFile, systemProbe } from './inspect.ts'
import { migrateDatabase } from './migrate.ts'
import type { Migration } from './schema.ts'
import { migrations as allMigrations } from './schema.ts'
import { sqliteFailure } from './sqlite-errors.ts'
import type { StoreClock } from './watching.ts'

export interface SqliteOptions {
  /** The data directory, or `:memory:` for a store that lasts as long as the process. */
  readonly directory: string
  /** The id that a new store gets; an existing one keeps its own. */
  readonly storeId: StoreId
  readonly clock: StoreClock
  /** `strict` when absent: a commit survives power loss. */
  readonly durability?: Durability
  readonly probe?: ProcessProbe
  /** How long a write waits in all for other processes to let go of the file; 2 s when absent. */
  readonly operationTimeoutMs?: Millis
  /** What one try of a write may block this process for; a few milliseconds when absent. */
  readonly blockedMs?: Millis
  /** Spreads the tries of several processes; they are even when absent. */
  readonly random?: Random
  /** The most pages of 4 KiB that the data file may have; no limit when absent. */
  readonly pageLimit?: number
  /** Told after each transaction how many writes shared it. */
  readonly onGroup?: (size: number) => void
  /** For tests of migrations. */
  readonly migrations?: readonly Migration[]
}

/** The name of the data file in its directory. */
export const dataFileName = 'sagasmith.db'

/**
 * Opens the data of a directory, new or not, brings it to this version's form and checks it after an
 * unclean stop. Refuses with `node_too_old`, `store_too_new`, `store_corrupt`, `store_busy`, `store_failed`.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { directory, migrations = allMigrations, probe = systemProbe, durability = 'strict' } = options
  const { operationTimeoutMs: timeoutMs = 2 * second, blockedMs = blockedMsMax, random = null } = options
  const binding = await loadBinding()
  const inMemory = directory === ':memory:'
  if (!inMemory) mkdirSync(directory, { recursive: true })
  const file = inMemory ? directory : join(directory, dataFileName)
  const { cleanlyClosed } = inspectFile({ binding, file, migrations, probe })
  let database: Database | null = null
  try {
    // Opening has nothing else to do meanwhile, and others may be repairing the file.
    database = openConnection(binding, { file, durability, busyTimeoutMs })
    if (options.pageLimit !== undefined) database.pragma(`max_page_count = ${options.pageLimit}`)
    migrateDatabase(database, { binding, file, migrations, now: options.clock.now() })
    const holder = hold(database, probe)
    const pauses = createBusyPauses({ blockedMs, timeoutMs, clock: options.clock, random })
    const store = createStore(database, { ...options, file, cleanlyClosed, holder, pauses })
    // Last: until here nobody waits for this process, and the file may be busy for a moment.
    database.pragma(`busy_timeout = ${blockedMs}`)
    return store
  } catch (thrown) {
    database?.close()
    throw sqliteFailure(thrown, file)
  }
}

/** Notes that this process has the file open; what dead processes noted has been looked at by now. */
function hold(database: Database, probe: ProcessProbe): number {
  const note = database.transaction(() => {
    const forget = database.prepare('delete from holder where key = ?')
    for (const dead of deadHolders(database, probe)) forget.run(dead)
    return Number(database.prepare('insert into holder (pid) values (?)').run(probe.pid).lastInsertRowid)
  })
  return note.immediate()
}
