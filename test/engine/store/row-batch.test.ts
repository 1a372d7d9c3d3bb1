/** Rows that are written together are what each would be if it were written alone. */

import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ColumnValue, Inserting } from '../../../src-engine/store/sqlite/row-batch.ts'
import { createRowBatch, insertRows } from '../../../src-engine/store/sqlite/row-batch.ts'

let database: Database.Database
let executed: string[]
beforeEach(() => {
  executed = []
  database = new Database(':memory:', { verbose: (sql) => executed.push(String(sql)) })
})
afterEach(() => {
  database.close()
})

const columns = ['key', 'kind', 'body', 'owner', 'place'] as const
const replacing = ' on conflict (key) do update set body = excluded.body, owner = excluded.owner'

/** The rows of a table after a batch that says what is repeated, and of one that doesn't. */
function both(rows: readonly (readonly ColumnValue[])[], inserting: Inserting) {
  return (['alike', 'alone'] as const).map((table) => {
    database.exec(
      `create table ${table} (key integer primary key, kind text, body blob, owner text, place integer) strict`,
    )
    const repeated = table === 'alike' ? inserting.repeated : []
    const batch = createRowBatch(database, insertRows(table, columns, { ...inserting, repeated }))
    for (const row of rows) {
      batch.add(row)
      if (table === 'alone') batch.write()
    }
    batch.write()
    return database.prepare(`select *, typeof(kind), typeof(place) from ${table} order by key`).all()
  })
}

const rowOf = (key: number, kind: string | null): readonly ColumnValue[] => [
  key,
  kind,
  Buffer.from([key, 255 - key]),
  key % 3 === 0 ? null : `owner ${key}`,
  2 ** 40 + key,
]

test.each([1, 15, 16, 17, 47, 48, 49, 112, 200])(
  '%i rows that agree, that differ and that agree in part are as if written alone',
  (many) => {
    const kindOf = [
      (): string => 'one',
      (): null => null,
      (key: number): string => `kind ${key}`,
      (key: number): string => (key < 60 ? 'one' : `kind ${key % 2}`),
    ]
    for (const kind of kindOf) {
      const rows = Array.from({ length: many }, (_, key) => rowOf(key + 1, kind(key)))
      const [alike, alone] = both(rows, { repeated: ['kind'] })
      expect(alike).toEqual(alone)
      expect(alike).toHaveLength(many)
      database.exec('drop table alike; drop table alone')
    }
  },
)

test('what becomes of a row that is there is the same for rows that agree', () => {
  const rows = Array.from({ length: 130 }, (_, index) => rowOf((index % 65) + 1, index < 65 ? 'one' : 'two'))
  const [alike, alone] = both(rows, { repeated: ['kind'], otherwise: replacing })
  expect(alike).toEqual(alone)
  expect(alike).toHaveLength(65)
})

test('rows that agree are given what they have in common once', () => {
  const rows = Array.from({ length: 48 }, (_, key) => rowOf(key + 1, 'the kind of all'))
  both(rows, { repeated: ['kind'] })
  const [statement = ''] = executed.filter((sql) => sql.startsWith('insert into alike'))
  expect(statement.split('the kind of all')).toHaveLength(2)
})
