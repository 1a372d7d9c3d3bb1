/** Looks at a data file before it is opened for writing: a file that we can't use is left as it is. */

import { existsSync } from 'node:fs'
import type BetterSqlite3 from 'better-sqlite3'
import { SagasmithError } from '../../model/errors.ts'
import type { Database } from './connection.ts'
import { refuseNewerForm } from './migrate.ts'
import type { Migration } from './schema.ts'
import { sqliteFailure } from './sqlite-errors.ts'

/** How to tell whether a process of this host lives. */
export interface ProcessProbe {
  readonly pid: number
  readonly isAlive: (pid: number) => boolean
}

/** What the last holders left behind. */
export interface Inspection {
  readonly cleanlyClosed: boolean
}

/**
 * Reads without writing: refuses a newer form (`store_too_new`), and after an unclean stop checks the file
 * (`store_corrupt`).
 */
export function inspectFile(options: {
  readonly binding: typeof BetterSqlite3
  readonly file: string
  readonly migrations: readonly Migration[]
  readonly probe: ProcessProbe
}): Inspection {
  const { binding, file, migrations, probe } = options
  if (file === ':memory:' || !existsSync(file)) return { cleanlyClosed: true }
  let database: Database | null = null
  try {
    database = new binding(file, { readonly: true, timeout: 5_000 })
    refuseNewerForm(database, file, migrations)
    const holders = listHolders(database)
    const alive = holders.filter(({ pid }) => probe.isAlive(pid)).length
    const cleanlyClosed = alive === holders.length
    // Somebody who lives has the file open and has looked: the check reads all of it, each joiner would wait.
    if (!cleanlyClosed && alive === 0) quickCheck(database, file)
    return { cleanlyClosed }
  } catch (thrown) {
    throw sqliteFailure(thrown, file)
  } finally {
    database?.close()
  }
}

/** Rows of connections whose process is gone. */
export function deadHolders(database: Database, probe: ProcessProbe): readonly number[] {
  return listHolders(database)
    .filter(({ pid }) => !probe.isAlive(pid))
    .map(({ key }) => key)
}

interface Holder {
  readonly key: number
  readonly pid: number
}

function listHolders(database: Database): readonly Holder[] {
  const table = database.prepare("select 1 from sqlite_schema where name = 'holder'").get()
  if (table === undefined) return []
  return database.prepare<[], Holder>('select key, pid from holder').all()
}

function quickCheck(database: Database, file: string): void {
  const verdict = database.pragma('quick_check(5)', { simple: true })
  if (verdict === 'ok') return
  throw new SagasmithError('store_corrupt', {
    message: `The data file ${file} is damaged: ${String(verdict)}`,
    details: { file, verdict: String(verdict) },
  })
}

/** Asks the operating system; a process that we may not signal lives too. */
export const systemProbe: ProcessProbe = {
  pid: process.pid,
  isAlive(pid) {
    try {
      process.kill(pid, 0)
      return true
    } catch (thrown) {
      return (thrown as NodeJS.ErrnoException).code === 'EPERM'
    }
  },
}
