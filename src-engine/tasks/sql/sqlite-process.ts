/**
 * Entry of the process that opens one SQLite file for one step. A statement can't be interrupted from
 * within: the process can be ended, and SQLite takes back what was not finished.
 */

import { recordOfThrown } from '../../model/errors.ts'
import { openParentLine } from '../parent-line.ts'
import type { RowPieces } from './sqlite-export.ts'
import { exportFromFile } from './sqlite-export.ts'
import type { SqliteMessage, SqliteRequest } from './sqlite-message.ts'
import { rowsWanted } from './sqlite-message.ts'
import { workOnFile } from './sqlite-work.ts'

const line = openParentLine()
const send = (message: SqliteMessage) => line.send(JSON.stringify(message))

/** Lets the reading of rows go on; null while none waits. */
let goOn: (() => void) | null = null

const pieces: RowPieces = {
  send: (columns, rows) =>
    new Promise((resolve) => {
      goOn = resolve
      send({ kind: 'rows', columns, rows })
    }),
}

async function answered(request: SqliteRequest): Promise<SqliteMessage> {
  try {
    const results = request.inPieces
      ? await exportFromFile(request, pieces)
      : workOnFile(request, () => send({ kind: 'committing' }))
    return { kind: 'done', results }
  } catch (thrown) {
    return { kind: 'failed', error: recordOfThrown(thrown) }
  }
}

async function serve(text: string): Promise<void> {
  // The engine wrote it; nobody else has this end of the line.
  send(await answered(JSON.parse(text) as SqliteRequest))
  line.close()
}

line.onText((text) => {
  if (text === rowsWanted) goOn?.()
  else void serve(text)
})
send({ kind: 'ready' })
