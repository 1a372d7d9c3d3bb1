/**
 * SQLite's newest form of the data in one step instead of all that ever led to it: half of what a new store took went
 * into those, and tests open thousands. It is read off a file that took all of them, so it is never another one.
 */

import Database from 'better-sqlite3'
import { migrateDatabase } from '../../src-engine/store/sqlite/migrate.ts'
import type { Migration } from '../../src-engine/store/sqlite/schema.ts'
import { migrations } from '../../src-engine/store/sqlite/schema.ts'

/** For stores that begin with nothing: data of an older form isn't brought to this one by it. */
export const newestFormAtOnce: readonly Migration[] = [atOnce()]

function atOnce(): Migration {
  const database = new Database(':memory:')
  try {
    migrateDatabase(database, { binding: Database, file: ':memory:', migrations, now: 0 })
    const sql = [...definitionsIn(database), ...rowsIn(database)].map((text) => `${text};`).join('\n')
    return { version: migrations.at(-1)?.version ?? 0, name: 'newest-form', sql }
  } finally {
    database.close()
  }
}

/** In the order in which they were made. */
function definitionsIn(database: Database.Database): readonly string[] {
  const read = database.prepare<[], string>(
    'select sql from sqlite_schema where sql is not null order by rowid',
  )
  return read.pluck().all()
}

/** What the steps themselves wrote. */
function rowsIn(database: Database.Database): readonly string[] {
  const tables = database
    .prepare<[], string>("select name from sqlite_schema where type = 'table'")
    .pluck()
    .all()
  return tables.flatMap((table) => {
    const columns = database.pragma(`table_info("${table}")`) as readonly { readonly name: string }[]
    const values = columns.map(({ name }) => `quote("${name}")`).join(` || ', ' || `)
    const rows = database.prepare<[], string>(`select ${values} from "${table}"`).pluck().all()
    return rows.map((row) => `insert into "${table}" values (${row})`)
  })
}
