/** What the engine and the process that opens SQLite files say to each other. */

import type { ErrorRecord } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import type { SqlResult, SqlWork } from './work.ts'

export interface SqliteRequest {
  readonly path: string
  readonly create: boolean
  /** How long others may hold the file. */
  readonly busyMs: number
  readonly work: SqlWork
  /** Rows come in pieces, each when the last one was answered with `rowsWanted`. */
  readonly inPieces: boolean
}

/** The engine's answer to a piece of rows. */
export const rowsWanted = 'more'

export type SqliteMessage =
  | { readonly kind: 'ready' }
  /** From here on a kill may come too late. */
  | { readonly kind: 'committing' }
  | {
      readonly kind: 'rows'
      readonly columns: readonly string[]
      readonly rows: readonly (readonly JsonValue[])[]
    }
  | { readonly kind: 'done'; readonly results: readonly SqlResult[] }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }

/** Loading it all on a busy machine; then it is broken. */
export const startMsMax = 30_000
