/** Rows of a SQLite file, piece by piece: the next piece is read when the last one is written. */

import type { JsonValue } from '../../model/json.ts'
import type { SqliteRequest } from './sqlite-message.ts'
import { readRows } from './sqlite-work.ts'
import type { SqlResult } from './work.ts'

/** In a piece, whichever comes first. */
const pieceRows = 500
const pieceLength = 262_144

export interface RowPieces {
  /** Hands on a piece and waits until more is wanted. */
  readonly send: (columns: readonly string[], rows: readonly (readonly JsonValue[])[]) => Promise<void>
}

/** Sends the rows of the one statement; answers what there is to say beside them. */
export async function exportFromFile(
  request: SqliteRequest,
  { send }: RowPieces,
): Promise<readonly SqlResult[]> {
  let names: readonly string[] = []
  let rows: (readonly JsonValue[])[] = []
  let length = 0
  await readRows(request, async (columns, found) => {
    names = columns
    for (const row of found) {
      rows.push(row)
      length += JSON.stringify(row).length
      if (rows.length < pieceRows && length < pieceLength) continue
      await send(columns, rows)
      rows = []
      length = 0
    }
  })
  if (rows.length > 0) await send(names, rows)
  return [{ columns: names, rows: [], affected: 0, insertedId: null, isCut: false }]
}
