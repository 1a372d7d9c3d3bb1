/** PostgreSQL: everything goes as prepared statements, and what is called off is cancelled at the server. */

import { connect as connectSocket } from 'node:net'
import type { Client, QueryArrayResult, QueryConfig } from 'pg'
import type { JsonValue } from '../../model/json.ts'
import type { ServerPlace } from '../reachable-host.ts'
import { tlsOptions } from '../tls.ts'
import { numberedStatement } from './named-parameters.ts'
import { serverError } from './server-errors.ts'
import type { SqlDatabase } from './spec.ts'
import type { RowTake, SqlCall, SqlResult, SqlStatement, SqlWork } from './work.ts'
import { createHold, createRowTake, wholeNumber } from './work.ts'

type Server = Extract<SqlDatabase, { kind: 'postgres' }>

/** What the driver has and its types don't tell. */
type OpenClient = Pick<Client, 'connect' | 'query' | 'on'> & {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly connection: {
    readonly stream: { readonly destroy: () => void; readonly pause: () => void; readonly resume: () => void }
  }
}

/** Rows come in this many at a time; asking for pages also makes the driver prepare every statement. */
const pageRows = 500
/** How long the server may take to hear that something is called off. */
const cancelMsMax = 2_000

/** Does the work on one connection. */
export async function workOnPostgres(
  { server, place }: { readonly server: Server; readonly place: ServerPlace },
  work: SqlWork,
  call: SqlCall,
): Promise<readonly SqlResult[]> {
  // Loaded with the first query: most processes never ask a database.
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    host: place.address,
    port: place.port,
    database: server.database,
    user: server.user,
    password: server.password,
    application_name: 'sagasmith',
    ssl: server.tls === 'off' ? false : tlsOptions(server.authority, place),
    types: valueTypes,
  }) as unknown as OpenClient
  // A connection that is lost is told by whatever was asked for on it.
  client.on('error', () => undefined)
  let isOver = false
  const callOff = () => {
    isOver = true
    void cancelled(client, place).finally(() => client.connection.stream.destroy())
  }
  call.signal.addEventListener('abort', callOff, { once: true })
  try {
    call.signal.throwIfAborted()
    await client.connect()
    return await worked({ client, query: (config) => new pg.Query(config as QueryConfig), work, call })
  } catch (thrown) {
    throw serverError(thrown, place.host)
  } finally {
    call.signal.removeEventListener('abort', callOff)
    if (!isOver) client.connection.stream.destroy()
  }
}

/** A query that tells each row, instead of collecting them. */
interface RowQuery {
  on(event: 'row', receive: (values: readonly JsonValue[], result: QueryArrayResult) => void): void
  on(event: 'error', receive: (error: Error) => void): void
  on(event: 'end', receive: (result: Pick<QueryArrayResult, 'rowCount' | 'fields'>) => void): void
}

interface Session {
  readonly client: OpenClient
  readonly query: (config: object) => unknown
  readonly work: SqlWork
  readonly call: SqlCall
}

async function worked(session: Session): Promise<readonly SqlResult[]> {
  const { client, work, call } = session
  const isWrapped = work.isReadOnly || work.isAtomic
  if (isWrapped) await client.query(work.isReadOnly ? 'begin read only' : 'begin')
  const take = createRowTake(work, call.sink)
  const results: SqlResult[] = []
  for (const statement of work.statements) {
    // Alone it is done when the server has done it; within a transaction nothing is before the end.
    call.effect.isOpen = !isWrapped
    results.push(await ran(session, statement, take()))
    call.effect.isOpen = false
  }
  if (!isWrapped || work.isReadOnly) return results
  call.effect.isOpen = true
  await client.query('commit')
  call.effect.isOpen = false
  return results
}

function ran({ client, query, call }: Session, statement: SqlStatement, take: RowTake): Promise<SqlResult> {
  const { sql, values } = numberedStatement(statement)
  return new Promise((resolve, reject) => {
    const config = { text: sql, values: values.map(parameterOf), rowMode: 'array', rows: pageRows }
    const asked = query(config) as RowQuery
    const done = (columns: readonly string[], affected: number) =>
      resolve({ columns, rows: take.rows, affected, insertedId: null, isCut: take.isCut() })
    const hold = createHold(client.connection.stream, take, reject)
    let isEnough = false
    asked.on('row', (row, { fields }) => {
      if (isEnough) return
      try {
        const names = namesOf(fields)
        isEnough = !take.add(names, row)
        if (isEnough) done(names, 0)
        else hold()
      } catch (thrown) {
        isEnough = true
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)))
      }
    })
    asked.on('error', (error) => {
      // The server has said no: then it has done nothing.
      if ('severity' in error) call.effect.isOpen = false
      reject(error)
    })
    asked.on('end', ({ rowCount, fields }) => done(namesOf(fields), rowCount ?? 0))
    client.query(asked as never)
  })
}

const namesOf = (fields: QueryArrayResult['fields']): readonly string[] => fields.map(({ name }) => name)

/** Lists are lists to PostgreSQL, objects are JSON. */
function parameterOf(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(parameterOf)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** Tells the server over a connection of its own, as the protocol wants it, that nobody waits any more. */
function cancelled({ processID, secretKey }: OpenClient, { address, port }: ServerPlace): Promise<void> {
  if (processID === null || secretKey === null) return Promise.resolve()
  const request = Buffer.alloc(16)
  request.writeInt32BE(16, 0)
  request.writeInt32BE(80_877_102, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  return new Promise((resolve) => {
    const socket = connectSocket({ host: address, port, timeout: cancelMsMax })
    const end = () => {
      socket.destroy()
      resolve()
    }
    socket.once('connect', () => socket.end(request))
    for (const event of ['close', 'error', 'timeout']) socket.once(event, end)
  })
}

const booleanType = 16
const bytesType = 17
const wholeTypes: ReadonlySet<number> = new Set([20, 21, 23, 26])
const realTypes: ReadonlySet<number> = new Set([700, 701])
const jsonTypes: ReadonlySet<number> = new Set([114, 3802])

/** Everything that JSON has no form for stays the text that PostgreSQL writes: dates, amounts, lists, ranges. */
const valueTypes = {
  getTypeParser: (type: number) => (text: string | Buffer) => valueOf(type, text.toString()),
}

function valueOf(type: number, text: string): JsonValue {
  if (wholeTypes.has(type)) return wholeNumber(text)
  if (type === booleanType) return text === 't'
  if (type === bytesType) return Buffer.from(text.replace(/^\\x/, ''), 'hex').toString('base64')
  if (realTypes.has(type)) {
    const number = Number(text)
    return Number.isFinite(number) ? number : text
  }
  // The server made it: it is JSON.
  if (jsonTypes.has(type)) return JSON.parse(text) as JsonValue
  return text
}
