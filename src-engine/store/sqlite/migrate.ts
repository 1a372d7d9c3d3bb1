/** Brings a data file to the current form, one transaction per step, never without a verified backup. */

import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { SagasmithError } from '../../model/errors.ts'
import { assert } from '../../model/result.ts'
import type { Instant } from '../../model/time.ts'
import type { Database } from './connection.ts'
import type { Migration } from './schema.ts'

export interface MigrateOptions {
  readonly binding: typeof BetterSqlite3
  readonly file: string
  readonly migrations: readonly Migration[]
  readonly now: Instant
}

/** The form of the data: 0 for a new file. */
const formOf = (database: Database): number => Number(database.pragma('user_version', { simple: true }))

/** Refuses data of a newer Sagasmith; nothing was changed then. */
export function refuseNewerForm(database: Database, file: string, migrations: readonly Migration[]): void {
  const found = formOf(database)
  const known = migrations.at(-1)?.version ?? 0
  if (found <= known) return
  throw new SagasmithError('store_too_new', {
    message: `The data in ${file} has form ${found}; this Sagasmith knows forms up to ${known}.`,
    details: { file, found, known },
  })
}

/** Applies what is missing. Safe when another process does the same: the second one finds nothing to do. */
export function migrateDatabase(database: Database, options: MigrateOptions): void {
  const { file, migrations } = options
  refuseNewerForm(database, file, migrations)
  const found = formOf(database)
  const missing = migrations.filter(({ version }) => version > found)
  if (missing.length === 0) return
  if (found > 0) {
    if (file !== ':memory:') backUp(database, found, options)
    for (const migration of missing) applyTogether(database, [migration])
    // A new file has nothing that could be half done: each transaction costs a sync of the disk.
  } else applyTogether(database, missing)
}

/** A table that others refer to can be made anew only while references aren't enforced: they are checked after. */
function applyTogether(database: Database, migrations: readonly Migration[]): void {
  const apply = database.transaction(() => {
    for (const { version, name, sql } of migrations) {
      if (formOf(database) >= version) continue
      database.exec(sql)
      const broken = database.pragma('foreign_key_check') as readonly unknown[]
      assert(broken.length === 0, `all references hold after the migration ${name}`)
      database.pragma(`user_version = ${version}`)
    }
  })
  database.pragma('foreign_keys = OFF')
  try {
    apply.immediate()
  } finally {
    database.pragma('foreign_keys = ON')
  }
}

/** A copy in `<directory>/backups` that has been opened and checked before anything is changed. */
function backUp(database: Database, form: number, { binding, file, now }: MigrateOptions): void {
  const directory = join(dirname(file), 'backups')
  mkdirSync(directory, { recursive: true })
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-')
  const copy = join(directory, `sagasmith-form${form}-${stamp}.db`)
  // What a run that was stopped in the middle left under this name is no backup.
  rmSync(copy, { force: true })
  database.prepare('vacuum into ?').run(copy)
  verifyBackup(binding, copy, form)
}

function verifyBackup(binding: typeof BetterSqlite3, copy: string, form: number): void {
  const opened = new binding(copy, { readonly: true })
  try {
    const verdict = opened.pragma('quick_check(1)', { simple: true })
    if (verdict === 'ok' && formOf(opened) === form) return
    throw new SagasmithError('store_failed', {
      message: `The backup ${copy} could not be verified (${String(verdict)}); nothing was changed.`,
      details: { file: copy },
    })
  } finally {
    opened.close()
  }
}
