/** The queries that run all day use the partial index made for them, whatever the history. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { claimQueries } from '../../../src-engine/store/sqlite/claims.ts'
import { pruneQueries } from '../../../src-engine/store/sqlite/prune.ts'
import { dueRegistersQuery } from '../../../src-engine/store/sqlite/queries.ts'
import { migrations } from '../../../src-engine/store/sqlite/schema.ts'
import { lineQueries, workQueries } from '../../../src-engine/store/sqlite/work-queries.ts'

/** A zero for every parameter, by place or by name. */
function zeros(sql: string): readonly unknown[] {
  const names = Array.from(sql.matchAll(/@(\w+)/g), ([, name]) => [name, 0] as const)
  return names.length > 0 ? [Object.fromEntries(names)] : Array.from(sql.matchAll(/\?/g), () => 0)
}

test('query plans of claims, lines, expiry and due instants', () => {
  const database = new Database(':memory:')
  for (const { sql } of migrations) database.exec(sql)
  const plans = Object.fromEntries(
    Object.entries({
      ...claimQueries,
      ...lineQueries,
      ...pruneQueries,
      ...workQueries,
      dueRegistersQuery,
    }).map(([name, sql]) => [
      name,
      database
        .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
        .all(...zeros(sql))
        .map(({ detail }) => detail)
        .filter((detail) => !detail.includes('json_each') && !detail.startsWith('LIST SUBQUERY')),
    ]),
  )
  database.close()
  expect(plans).toMatchInlineSnapshot(`
    {
      "available": [
        "SEARCH work USING INDEX work_listed ((registered_at,id)>(?,?))",
      ],
      "avoided": [
        "SEARCH i USING INDEX work_avoid (avoid=? AND rank=? AND available_at<?)",
        "CREATE BLOOM FILTER",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 4",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 6",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 8",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 10",
        "CREATE BLOOM FILTER",
        "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
      ],
      "claim": [
        "SEARCH i USING INDEX work_claim (rank=? AND available_at<?)",
        "CREATE BLOOM FILTER",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 4",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 6",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 8",
        "CREATE BLOOM FILTER",
        "CORRELATED SCALAR SUBQUERY 10",
        "CREATE BLOOM FILTER",
        "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
      ],
      "dueRegistersQuery": [
        "SEARCH register USING INDEX register_due (due_at>?)",
      ],
      "expired": [
        "SEARCH work USING INDEX work_owned (queue=?)",
        "CREATE BLOOM FILTER",
        "USE TEMP B-TREE FOR ORDER BY",
      ],
      "isOpen": [
        "SEARCH run USING INDEX sqlite_autoindex_run_1 (id=?)",
      ],
      "lineEnd": [
        "SEARCH i USING INDEX work_line_end (deadline_at>? AND deadline_at<?)",
        "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
      ],
      "naming": [
        "SCAN run USING INDEX run_naming",
      ],
      "nextAvailable": [
        "SEARCH work USING COVERING INDEX work_claim (rank=? AND available_at>?)",
      ],
      "nextHeadStart": [
        "SEARCH work USING INDEX work_preferred (<expr>>?)",
      ],
      "nextLineEnd": [
        "SEARCH work USING COVERING INDEX work_line_end (deadline_at>?)",
      ],
      "nextParkedWake": [
        "SEARCH work USING COVERING INDEX work_parked_due (available_at>?)",
      ],
      "nextRunDeadline": [
        "SEARCH run USING INDEX run_deadline (deadline_at>?)",
      ],
      "nextWake": [
        "SEARCH work USING COVERING INDEX work_wake (available_at>?)",
      ],
      "owned": [
        "SEARCH work USING INDEX work_owned (queue=?)",
        "USE TEMP B-TREE FOR ORDER BY",
      ],
      "parked": [
        "SEARCH work USING INDEX work_parked ((registered_at,id)>(?,?))",
      ],
      "parkedWake": [
        "SEARCH i USING INDEX work_parked_due (available_at>? AND available_at<?)",
        "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
      ],
      "runDeadline": [
        "SEARCH run USING INDEX run_deadline (deadline_at>? AND deadline_at<?)",
      ],
      "runs": [
        "SEARCH run USING INDEX run_line (blocked_by=?)",
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH event_row USING INDEX event_run (run_key=?)",
      ],
      "signals": [
        "SEARCH work USING INDEX work_signal (blocked_by=? AND (registered_at,id)>(?,?))",
        "USE TEMP B-TREE FOR ORDER BY",
      ],
      "starts": [
        "SEARCH outbox USING COVERING INDEX sqlite_autoindex_outbox_1 (id>? AND id<?)",
      ],
      "wake": [
        "SEARCH i USING INDEX work_wake (available_at>? AND available_at<?)",
        "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    }
  `)
})

/** Removing a row looks for those that refer to it, which is a look through their whole table without an index. */
test('what refers to another table has an index for it [S6]', () => {
  const database = new Database(':memory:')
  for (const { sql } of migrations) database.exec(sql)
  const references = database
    .prepare(
      `select t.name as referring, f."from" as by, f."table" as referred
       from sqlite_schema t join pragma_foreign_key_list(t.name) f
       where t.type = 'table' and not exists (
         select 1 from pragma_index_list(t.name) i join pragma_index_info(i.name) c
         where i.partial = 0 and c.seqno = 0 and c.name = f."from")`,
    )
    .all()
  database.close()
  expect(references).toEqual([])
})

/**
 * SQLite looks at the value of a bound limit, or of one compared for equality under an order, and then plans
 * the statement anew each time it is run, which takes longer than most of them. A plus hides the value.
 */
test('no statement of the store is planned again whenever it runs', () => {
  const room = resolve(import.meta.dirname, '../../../src-engine/store/sqlite')
  const plannedAgain = readdirSync(room).flatMap((name) =>
    Array.from(readFileSync(join(room, name), 'utf8').matchAll(/`[^`]*`|'[^'\n]*'/g), ([text]) => text)
      .filter((text) => /\bselect\b/.test(text))
      .filter(
        (text) =>
          /\b(limit|offset) [?@]/.test(text) ||
          (/\border by\b|\bmin\(|\bmax\(/.test(text) && /[^<>]= [?@]/.test(text)),
      )
      .map((text) => `${name}: ${text}`),
  )
  expect(plannedAgain).toEqual([])
})
