/**
 * Entry of the process that opens one SQLite file for one step. A statement can't be interrupted from
 * within: the process can be ended, and SQLite takes back what was not finished.
 */

import { recordOfThrown } from '../../model/errors.ts'
import { openParentLine } from '../parent-line.ts'
import type { SqliteMessage, SqliteRequest } from './sqlite-message.ts'
import { workOnFile } from './sqlite-work.ts'

const line = openParentLine()
const send = (message: SqliteMessage) => line.send(JSON.stringify(message))

function answered(request: SqliteRequest): SqliteMessage {
  try {
    return { kind: 'done', results: workOnFile(request, () => send({ kind: 'committing' })) }
  } catch (thrown) {
    return { kind: 'failed', error: recordOfThrown(thrown) }
  }
}

line.onText((text) => {
  // The engine wrote it; nobody else has this end of the line.
  send(answered(JSON.parse(text) as SqliteRequest))
  line.close()
})
send({ kind: 'ready' })
