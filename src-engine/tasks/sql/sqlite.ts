/** SQLite: in a process of its own, which is ended when the step is. */

import { errorOfRecord, SagasmithError } from '../../model/errors.ts'
import type { GuardedHost, GuardedProcess } from '../guarded-process.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext } from '../task.ts'
import type { SqliteMessage, SqliteRequest } from './sqlite-message.ts'
import { rowsWanted, startMsMax } from './sqlite-message.ts'
import type { RowSink, SqlCall, SqlResult } from './work.ts'

/** Does the work in a process that is used once. */
export async function workOnSqlite(
  host: GuardedHost,
  request: SqliteRequest,
  call: SqlCall & Pick<TaskContext, 'clock'>,
): Promise<readonly SqlResult[]> {
  const child = host.start()
  try {
    const ending = await answered(child, request, call)
    if (ending?.kind === 'done') return ending.results
    if (ending?.kind === 'failed') {
      call.effect.isOpen = false
      throw errorOfRecord(ending.error)
    }
    throw new SagasmithError('sql_failed', {
      message: `“${request.path}”: the process that had it open ended before its work did.`,
      hint: 'Ask for fewer rows at once; it most likely had too little memory.',
      details: { path: request.path },
    })
  } finally {
    child.kill()
  }
}

type Ending = Extract<SqliteMessage, { kind: 'done' | 'failed' }>

/** How it ended; null when the process is gone, or had to go. Throws what the sink of rows throws. */
function answered(
  child: GuardedProcess,
  request: SqliteRequest,
  { signal, effect, clock, sink }: SqlCall & Pick<TaskContext, 'clock'>,
): Promise<Ending | null> {
  return new Promise((resolve, reject) => {
    const over = () => {
      cancelStart()
      signal.removeEventListener('abort', abort)
      child.kill()
    }
    const stop = (ending: Ending | null) => {
      over()
      resolve(ending)
    }
    const abort = () => stop(null)
    const fail = (thrown: unknown) => {
      over()
      reject(thrown instanceof Error ? thrown : new Error(String(thrown)))
    }
    const cancelStart = clock.after(startMsMax, abort)
    signal.addEventListener('abort', abort, { once: true })
    child.onExit(abort)
    child.onText((text) => {
      const message = messageOf(text)
      if (message === null) return
      if (message.kind === 'ready') {
        cancelStart()
        child.send(JSON.stringify(request))
      } else if (message.kind === 'committing') effect.isOpen = true
      else if (message.kind === 'rows') taken(message, sink).then((more) => goOn(more, message), fail)
      else stop(message)
    })
    if (signal.aborted) abort()

    function goOn(isWanted: boolean, { columns }: RowPiece): void {
      if (isWanted) child.send(rowsWanted)
      else stop({ kind: 'done', results: [{ ...noResult, columns, isCut: true }] })
    }
  })
}

type RowPiece = Extract<SqliteMessage, { kind: 'rows' }>

const noResult = { rows: [], affected: 0, insertedId: null }

/** False when no more are wanted. */
async function taken({ columns, rows }: RowPiece, sink: RowSink | null): Promise<boolean> {
  for (const row of rows) if (sink?.add(columns, row) !== true) return false
  await sink?.busy()
  return true
}

/** Our own process writes these. */
function messageOf(text: string): SqliteMessage | null {
  const message = parseJson(text)
  if (!message.ok || typeof message.value !== 'object' || message.value === null) return null
  return 'kind' in message.value ? (message.value as unknown as SqliteMessage) : null
}
