/** MySQL and MariaDB: prepared statements only, and what is called off is killed at the server. */

import { connect as connectSocket, isIP } from 'node:net'
import type { Connection, ConnectionOptions } from 'mysql2'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import type { ServerPlace } from '../reachable-host.ts'
import { tlsOptions } from '../tls.ts'
import { questionedStatement } from './named-parameters.ts'
import { serverError } from './server-errors.ts'
import type { SqlDatabase } from './spec.ts'
import type { RowTake, SqlCall, SqlResult, SqlStatement, SqlWork } from './work.ts'
import { createHold, createRowTake, plainParameter, wholeNumber } from './work.ts'

type Server = Extract<SqlDatabase, { kind: 'mysql' }>
type Connect = () => Connection

/** Does the work on one connection. */
export async function workOnMysql(
  { server, place }: { readonly server: Server; readonly place: ServerPlace },
  work: SqlWork,
  call: SqlCall,
): Promise<readonly SqlResult[]> {
  // Loaded with the first query: most processes never ask a database.
  const { default: mysql } = await import('mysql2')
  const connect: Connect = () => {
    const opened = mysql.createConnection(optionsOf(server, place))
    // A connection that is lost is told by whatever was asked for on it.
    opened.on('error', () => undefined)
    return opened
  }
  const connection = connect()
  let isOver = false
  const callOff = () => {
    isOver = true
    void killed(connection, connect).finally(() => connection.destroy())
  }
  call.signal.addEventListener('abort', callOff, { once: true })
  try {
    call.signal.throwIfAborted()
    await connected(connection)
    return await unlessLost(connection, call.signal, worked(connection, work, call))
  } catch (thrown) {
    throw serverError(thrown, place.host)
  } finally {
    call.signal.removeEventListener('abort', callOff)
    if (!isOver) connection.destroy()
  }
}

function optionsOf(server: Server, place: ServerPlace): ConnectionOptions {
  const { database, user, password, tls, authority } = server
  if (tls === 'verify' && isIP(place.host) !== 0) throw namelessServer(place.host)
  return {
    host: place.host,
    database,
    user,
    password,
    // The checked address; certificates are for the name.
    stream: () => connectSocket({ host: place.address, port: place.port }),
    ...(tls === 'off' ? {} : { ssl: { ...tlsOptions(authority, place), verifyIdentity: true } }),
    // No file of this machine is ever read for a server, no code is made of what it sends.
    flags: ['-LOCAL_FILES'],
    disableEval: true,
    multipleStatements: false,
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
  }
}

/** The driver would compare the certificate of a bare address with a name that nobody asked for. */
function namelessServer(host: string): SagasmithError {
  return new SagasmithError('task_input_invalid', {
    message: `${host} is an address, and a MySQL server can only prove a name.`,
    hint: 'Write the server’s name, the one in its certificate; or turn its encryption off.',
    details: { field: 'host', host },
  })
}

const connected = (connection: Connection): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.connect((error) => (error === null ? resolve() : reject(error)))
  })

/** A connection that is destroyed answers nothing more. */
async function unlessLost<T>(connection: Connection, signal: AbortSignal, done: Promise<T>): Promise<T> {
  const lost = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    connection.on('error', reject)
  })
  lost.catch(() => undefined)
  done.catch(() => undefined)
  return Promise.race([done, lost])
}

async function worked(connection: Connection, work: SqlWork, call: SqlCall): Promise<readonly SqlResult[]> {
  const isWrapped = work.isReadOnly || work.isAtomic
  // The second holds even when a statement ends the transaction by itself, as CREATE TABLE does.
  if (work.isReadOnly) await said(connection, 'set session transaction read only')
  if (isWrapped) await said(connection, `start transaction${work.isReadOnly ? ' read only' : ''}`)
  const take = createRowTake(work, call.sink)
  const results: SqlResult[] = []
  for (const statement of work.statements) {
    call.effect.isOpen = !isWrapped
    results.push(await ran({ connection, call }, statement, take()))
    call.effect.isOpen = false
  }
  if (!isWrapped || work.isReadOnly) return results
  call.effect.isOpen = true
  await said(connection, 'commit')
  call.effect.isOpen = false
  return results
}

const said = (connection: Connection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error) => (error === null ? resolve() : reject(error)))
  })

interface ResultHeader {
  readonly affectedRows: number
  readonly insertId: number | string
}

function ran(
  { connection, call }: { readonly connection: Connection; readonly call: SqlCall },
  statement: SqlStatement,
  take: RowTake,
): Promise<SqlResult> {
  const { sql, values } = questionedStatement(statement)
  return new Promise((resolve, reject) => {
    let columns: readonly string[] = []
    let header: ResultHeader = { affectedRows: 0, insertId: 0 }
    const done = () => {
      const { affectedRows: affected, insertId } = header
      const insertedId = insertId === 0 ? null : wholeNumber(String(insertId))
      resolve({ columns, rows: take.rows, affected, insertedId, isCut: take.isCut() })
    }
    const hold = createHold(connection, take, reject)
    let isEnough = false
    const asked = connection.execute({ sql, values: values.map(plainParameter) })
    asked.on('fields', (fields: readonly { readonly name: string }[] | undefined) => {
      columns = fields?.map(({ name }) => name) ?? []
    })
    asked.on('result', (row: readonly unknown[] | ResultHeader) => {
      if (isEnough) return
      if (!Array.isArray(row)) {
        header = row as ResultHeader
        return
      }
      try {
        isEnough = !take.add(columns, row.map(valueOf))
        if (isEnough) done()
        else hold()
      } catch (thrown) {
        isEnough = true
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)))
      }
    })
    asked.on('error', (error: Error) => {
      // The server has said no: then it has done nothing.
      if ('sqlState' in error) call.effect.isOpen = false
      reject(error)
    })
    asked.on('end', done)
  })
}

/** What JSON has no form for: bytes are Base64. */
function valueOf(value: unknown): JsonValue {
  if (Buffer.isBuffer(value)) return value.toString('base64')
  if (typeof value === 'bigint') return wholeNumber(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value === undefined ? null : (value as JsonValue)
}

/** Ends the statement over a second connection: the first one is busy with it. */
async function killed(connection: Connection, connect: Connect): Promise<void> {
  const id = connection.threadId
  if (typeof id !== 'number' || id === 0) return
  const second = connect()
  try {
    await connected(second)
    await said(second, `kill query ${Math.trunc(id)}`)
  } catch {
    // It may have ended by itself, or with its server.
  } finally {
    second.destroy()
  }
}
