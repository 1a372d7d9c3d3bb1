/** The undo that a SQL statement is offered takes back what it did, when the run fails later. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sagasmith } from '../../src-engine/index.ts'
import { defineWorkflow, openInProcessSagasmith } from '../../src-engine/index.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { sqlStatementSpec } from '../../src-engine/tasks/sql/spec.ts'

let folder = ''
let sagasmith: Sagasmith
let database: JsonObject = {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-sql-undo-'))
  database = { kind: 'sqlite', file: join(folder, 'shop.db'), create: true }
  sagasmith = await openInProcessSagasmith({ mockEffects: false })
})
afterAll(async () => {
  await sagasmith?.close()
  await rm(folder, { recursive: true, force: true })
})

const played = async (nodes: JsonObject, edges: readonly [string, string][], input: JsonObject = {}) => {
  const definition = { id: 'shop', nodes, edges } as unknown as Parameters<typeof defineWorkflow>[0]
  return (await sagasmith.run(defineWorkflow(definition), input)).result()
}
const names = async () => {
  const sql = 'select name from goods order by id'
  const { output } = await played({ ask: { kind: 'sql-query', parameters: { database, sql } } }, [])
  return (output as { readonly rows: readonly { name: string }[] }).rows.map(({ name }) => name)
}
/** The step with the undo that the designer offers for it. */
const undoable = (parameters: JsonObject, corrected: JsonObject = {}) => {
  const { kind, parameters: offered } = sqlStatementSpec.undoneBy(parameters)
  return {
    kind: 'sql-statement',
    parameters,
    compensation: { task: { kind, parameters: { ...offered, ...corrected } } },
  }
}
const fails = { kind: 'debug', parameters: { failTimes: 9 } }

test('an insert is taken back by the id that it was given, and nothing else is', async () => {
  const make = 'create table goods (id integer primary key, name text)'
  await played({ make: { kind: 'sql-statement', parameters: { database, sql: make } } }, [])
  const insert = {
    database,
    sql: 'insert into goods (name) values (:name)',
    parameters: { name: '{{ run.input.name }}' },
  }
  const ok = await played({ insert: undoable(insert) }, [], { name: 'tea' })
  expect(ok).toMatchObject({ status: 'SUCCEEDED', output: { affected: 1, insertedId: 1 } })
  const failed = await played({ insert: undoable(insert), fails }, [['insert', 'fails']], { name: 'cake' })
  expect(failed).toMatchObject({ status: 'COMPENSATED' })
  expect(await names()).toEqual(['tea'])
})

test('many are taken back by what was put in', async () => {
  const each = {
    database,
    mode: 'each',
    sql: 'insert into goods (id, name) values (:id, :name)',
    items: '{{ input.goods }}',
  }
  const nodes = {
    insert: undoable(each, { sql: 'delete from goods where id = :id and name = :name' }),
    fails,
  }
  const goods = [
    { id: 11, name: 'cup' },
    { id: 12, name: 'pot' },
  ]
  expect(await played(nodes, [['insert', 'fails']], { goods })).toMatchObject({ status: 'COMPENSATED' })
  expect(await names()).toEqual(['tea'])
})

test.for<[string, JsonObject, JsonObject]>([
  [
    'PostgreSQL tells the id that is asked for',
    { database: { kind: 'postgres' }, sql: 'INSERT INTO shop.goods (name) VALUES (:name) RETURNING id' },
    { sql: 'delete from shop.goods where id = :id', parameters: { id: '{{ original.output.rows[0].id }}' } },
  ],
  [
    'and else none',
    { database: { kind: 'postgres' }, sql: 'insert into goods (name) values (:name)' },
    { sql: '', parameters: {} },
  ],
  [
    'what else is changed has to be said',
    { sql: 'update goods set name = :name' },
    { sql: '', parameters: {} },
  ],
  [
    'of a list without an expression nothing is known',
    { mode: 'each', sql: 'insert into goods (id) values (:id)', items: [{ id: 1 }] },
    { mode: 'each', sql: '', items: [] },
  ],
])('%s', ([, parameters, offered]) => {
  expect(sqlStatementSpec.undoneBy(parameters)).toMatchObject({ kind: 'sql-statement', parameters: offered })
})
