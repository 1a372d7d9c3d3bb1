/** SQL query and SQL statement: ask a database, or change what is in it. */

import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { lazily } from '../../model/lazily.ts'
import { authorityField, tlsField } from '../../model/server-fields.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { ReachField, TaskSpec, UndoingTask } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const serverFields = (port: number) => ({
  host: z.string().min(1).meta({
    title: 'Server',
    description: 'Name or address. One outside the public internet must be in the workflow’s approved hosts.',
    placeholder: 'db.example.com',
  }),
  port: z.int().min(1).max(65_535).default(port).meta({ title: 'Port' }),
  database: z.string().min(1).meta({ title: 'Database', placeholder: 'shop' }),
  user: z.string().min(1).meta({ title: 'User', secret: 'allowed' }),
  password: z.string().default('').meta({ title: 'Password', secret: 'expected' }),
  tls: tlsField(),
  authority: authorityField({ when: { tls: ['verify'] } }),
})

/** Which database, and how it is come to. */
export const databaseField = lazily(() =>
  z
    .discriminatedUnion('kind', [
      z
        .object({
          kind: z.literal('sqlite'),
          file: z.string().min(1).meta({
            title: 'File',
            description: 'Relative paths start at the folder of the workflow.',
            widget: 'path',
            placeholder: 'data/shop.db',
          }),
          create: z.boolean().default(false).meta({
            title: 'Make it when it is missing',
            description: 'For statements; a query never makes a file.',
          }),
        })
        .meta({ title: 'SQLite' }),
      z.object({ kind: z.literal('postgres'), ...serverFields(5432) }).meta({ title: 'PostgreSQL' }),
      z.object({ kind: z.literal('mysql'), ...serverFields(3306) }).meta({ title: 'MySQL or MariaDB' }),
    ])
    .meta({ title: 'Database' }),
)

/** One statement. */
export const sqlText = lazily(() =>
  z.string().meta({
    title: 'SQL',
    description:
      'One statement. Data never stands in it: write :name, and give the value under Parameters. ' +
      'Expressions mean nothing here.',
    widget: 'code',
    expressions: false,
    placeholder: 'select id, total from orders where customer = :customer',
  }),
)

/** Values for a statement. */
export const values = lazily(() =>
  z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).default({}),
)

const limits = {
  maxRows: z.int().min(1).max(100_000).default(10_000).meta({
    title: 'Most rows',
    description: 'How many rows are handed on at most.',
    group: 'Limits',
  }),
  timeoutMs: z.int().min(1).max(3_600_000).default(30_000).meta({
    title: 'Timeout',
    description: 'From connecting to the last row. The database is told to stop what is late.',
    widget: 'duration',
    group: 'Limits',
  }),
}

/** What a form says of them. */
export const namedValues = {
  title: 'Parameters',
  description: 'Values for :name in the statement; or a list, for the database’s own placeholders (?, $1).',
  widget: 'key-value',
} as const

/** What becomes of rows beyond the limit; `cut` says what is done with those before. */
export const tooManyField = (cut: string) =>
  z
    .enum(['fail', 'cut'])
    .default('fail')
    .meta({
      title: 'When there are more rows',
      choices: {
        fail: { title: 'The step fails' },
        cut: { title: cut, hint: 'The output says that it was cut.' },
      },
      group: 'Limits',
    })

const queryParameters = lazily(() =>
  z.strictObject({
    database: databaseField(),
    sql: sqlText().min(1),
    parameters: values().meta(namedValues),
    tooMany: tooManyField('Hand on the first'),
    ...limits,
  }),
)

const statementParameters = lazily(() =>
  z
    .strictObject({
      database: databaseField(),
      mode: z
        .enum(['one', 'each', 'transaction'])
        .default('one')
        .meta({
          title: 'Run',
          choices: {
            one: { title: 'One statement' },
            each: { title: 'It once per item', hint: 'For many rows, in one transaction: all or none.' },
            transaction: { title: 'Several statements', hint: 'In one transaction: all or none.' },
          },
        }),
      sql: sqlText()
        .default('')
        .meta({
          title: 'SQL',
          description:
            'One statement. Data never stands in it: write :name, and give the value under Parameters. ' +
            'Expressions mean nothing here.',
          widget: 'code',
          expressions: false,
          placeholder: 'update orders set state = :state where id = :id',
          when: { mode: ['one', 'each'] },
        }),
      parameters: values().meta({ ...namedValues, when: { mode: ['one'] } }),
      items: z
        .array(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]))
        .max(10_000)
        .default([])
        .meta({
          title: 'Items',
          description: 'A list: the parameters of each run.',
          placeholder: '{{ input.rows }}',
          when: { mode: ['each'] },
        }),
      statements: z
        .array(z.object({ sql: sqlText().min(1), parameters: values().meta(namedValues) }))
        .max(100)
        .default([])
        .meta({ title: 'Statements', when: { mode: ['transaction'] } }),
      ...limits,
    })
    .refine((value) => value.mode === 'transaction' || value.sql.trim() !== '', {
      path: ['sql'],
      message: 'Write the statement.',
    })
    .refine((value) => value.mode !== 'transaction' || value.statements.length > 0, {
      path: ['statements'],
      message: 'Write at least one statement.',
    }),
)

/** Where a database is. */
export type SqlDatabase = z.infer<ReturnType<typeof databaseField>>

/** The resolved parameters of a query. */
export type SqlQueryParameters = z.infer<ReturnType<typeof queryParameters>>

/** The resolved parameters of what changes a database. */
export type SqlStatementParameters = z.infer<ReturnType<typeof statementParameters>>

/** What a step with a database touches. */
export const databaseReach: readonly ReachField[] = [
  { what: 'databases', field: 'database.file' },
  { what: 'databases', field: 'database.database' },
  { what: 'hosts', field: 'database.host' },
]

const sqlite = { kind: 'sqlite', file: '' }

export const sqlQuerySpec = {
  kind: 'sql-query',
  title: 'SQL query',
  description: 'Asks a database and hands on the rows; it can change nothing there.',
  icon: 'database',
  category: 'data',
  keywords: ['sql', 'query', 'select', 'database', 'sqlite', 'postgres', 'mysql', 'mariadb', 'table', 'rows'],
  get parameters() {
    return queryParameters()
  },
  defaults: { database: sqlite, sql: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: databaseReach,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(oneLine(textParameter(raw, 'sql', 'a query'))),
} satisfies TaskSpec<SqlQueryParameters>

export const sqlStatementSpec = {
  kind: 'sql-statement',
  title: 'SQL statement',
  description: 'Changes a database: one statement, one per item, or several in a transaction.',
  icon: 'database-zap',
  category: 'data',
  keywords: ['sql', 'insert', 'update', 'delete', 'database', 'sqlite', 'postgres', 'mysql', 'transaction'],
  get parameters() {
    return statementParameters()
  },
  defaults: { database: sqlite, mode: 'one', sql: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: databaseReach,
  sideEffect: 'unsafe',
  undoneBy: undoOfStatement,
  execution: 'runner',
  summary: (raw) => {
    const { mode, statements } = raw
    const count = Array.isArray(statements) ? statements.length : 0
    if (mode === 'transaction') return count === 1 ? '1 statement' : `${count} statements`
    return shortened(oneLine(textParameter(raw, 'sql', 'a statement')))
  },
} satisfies TaskSpec<SqlStatementParameters>

/**
 * The undo that is offered: a statement on the same database, with what is known of its parameters. An insert of
 * one row is taken back by the id that it was given, where the database tells it.
 */
function undoOfStatement(raw: JsonObject): UndoingTask {
  const { database: place = {}, mode = 'one', items } = raw
  const undo = (parameters: JsonObject): UndoingTask => ({
    kind: 'sql-statement',
    parameters: { database: place, ...parameters },
  })
  if (mode === 'each') {
    const before = typeof items === 'string' ? items.replace(/\{\{\s*input\b/, '{{ original.input') : []
    return undo({ mode: 'each', sql: '', items: before })
  }
  const table = /^\s*insert\s+into\s+([\w.]+)/i.exec(textParameter(raw, 'sql', ''))?.[1]
  const id = mode === 'one' && table !== undefined ? insertedId(raw) : null
  if (id === null) return undo({ mode: 'one', sql: '', parameters: {} })
  return undo({ mode: 'one', sql: `delete from ${table} where id = :id`, parameters: { id } })
}

/** Null where nothing tells which row it is. */
function insertedId(raw: JsonObject): string | null {
  if (/\breturning\b/i.test(textParameter(raw, 'sql', ''))) return '{{ original.output.rows[0].id }}'
  const { database: place } = raw
  const isSilent = isJsonObject(place) && place['kind'] === 'postgres'
  return isSilent ? null : '{{ original.output.insertedId }}'
}

/** A statement as a card shows it. */
export function oneLine(sql: string): string {
  const line = sql.replace(/\s+/g, ' ').trim()
  return line === '' ? 'SQL' : line
}
