/** Most tests open stores that were made in one step: those are the same as who takes all steps has. */

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrateDatabase } from '../../../src-engine/store/sqlite/migrate.ts'
import type { Migration } from '../../../src-engine/store/sqlite/schema.ts'
import { migrations } from '../../../src-engine/store/sqlite/schema.ts'
import { newestFormAtOnce } from '../../support/newest-form.ts'

/** Everything that a new store has: its form, what is defined, in its order, and all rows. */
function contentsAfter(steps: readonly Migration[]) {
  const database = new Database(':memory:')
  try {
    migrateDatabase(database, { binding: Database, file: ':memory:', migrations: steps, now: 0 })
    const defined = database
      .prepare('select type, name, tbl_name, sql from sqlite_schema order by rowid')
      .all()
    const tables = database
      .prepare<[], string>("select name from sqlite_schema where type = 'table'")
      .pluck()
      .all()
    const rows = tables.map((table) => [table, database.prepare(`select * from "${table}"`).all()])
    return { form: database.pragma('user_version', { simple: true }), defined, rows }
  } finally {
    database.close()
  }
}

test('a store that was made in one step is what all steps make', () => {
  const all = contentsAfter(migrations)
  expect(all.rows).toContainEqual(['epoch', [expect.anything()]])
  expect(contentsAfter(newestFormAtOnce)).toEqual(all)
})
