/** What a database is asked for, in the same form for all of them, and what it gives. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { EffectLeft } from '../deadline.ts'

export interface SqlStatement {
  readonly sql: string
  /** A list goes to the database's own placeholders, an object to those that are named. */
  readonly parameters: readonly JsonValue[] | JsonObject
}

export interface SqlWork {
  /** Nothing can be changed; the database itself sees to it. */
  readonly isReadOnly: boolean
  /** All of them or none. */
  readonly isAtomic: boolean
  readonly statements: readonly SqlStatement[]
  readonly rowsMax: number
  /** What lies beyond the rows is left out, instead of being an error. */
  readonly cuts: boolean
}

export interface SqlResult {
  /** Empty for a statement that gives no rows. */
  readonly columns: readonly string[]
  readonly rows: readonly JsonObject[]
  /** Rows that were changed. */
  readonly affected: number
  /** What the database calls the row that was inserted last, where it says so. */
  readonly insertedId: number | string | null
  readonly isCut: boolean
}

/** What a driver works with. */
export interface SqlCall {
  readonly signal: AbortSignal
  readonly effect: EffectLeft
  /** Where rows go instead of into the results; null for there. */
  readonly sink: RowSink | null
}

/** Takes rows one by one, as they come. */
export interface RowSink {
  /** False when no more are wanted. Throws `task_output_too_large` where that is an error. */
  readonly add: (columns: readonly string[], values: readonly JsonValue[]) => boolean
  readonly isCut: () => boolean
  /** While it has enough to do: when it hasn't any more. Null while rows may come. */
  readonly busy: () => Promise<void> | null
}

/** Rows as they come, up to their limits. */
export interface RowTake extends RowSink {
  /** Those that were kept. */
  readonly rows: readonly JsonObject[]
}

/** Rows for one piece of work: the limits are for all its statements together. */
export function createRowTake({ rowsMax, cuts }: Pick<SqlWork, 'rowsMax' | 'cuts'>, sink: RowSink | null) {
  let count = 0
  let bytes = 0
  return (): RowTake => {
    if (sink !== null) {
      const { isCut, busy } = sink
      return { rows: [], isCut, busy, add: (columns, values) => sink.add(columns, values) }
    }
    const rows: JsonObject[] = []
    let isCut = false
    return {
      rows,
      isCut: () => isCut,
      busy: () => null,
      add(columns, values) {
        const row = rowOf(columns, values)
        bytes += JSON.stringify(row).length
        if (bytes > taskOutputBytesMax) throw tooLarge(`more than ${taskOutputBytesMax} bytes`)
        count += 1
        if (count > rowsMax) {
          if (!cuts) throw tooLarge(`more than ${rowsMax} rows`)
          isCut = true
          return false
        }
        rows.push(row)
        return true
      },
    }
  }
}

/** A row by the names of its columns. */
export function rowOf(columns: readonly string[], values: readonly JsonValue[]): JsonObject {
  const row: Record<string, JsonValue> = {}
  for (const [index, column] of columns.entries()) {
    // `__proto__` would be set, not kept.
    if (column !== '__proto__') row[column] = values[index] ?? null
  }
  return row
}

function tooLarge(what: string): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The statement gives ${what}.`,
    hint: 'Ask for fewer, page by page (LIMIT, or WHERE id > :last), or raise the limit in the node’s settings.',
  })
}

/** Lets a stream stand still while its rows can't be taken. `failed` is called when they never will be. */
export function createHold(
  stream: { readonly pause: () => unknown; readonly resume: () => unknown },
  { busy }: RowSink,
  failed: (thrown: unknown) => void,
): () => void {
  let isHeld = false
  return () => {
    const waiting = isHeld ? null : busy()
    if (waiting === null) return
    isHeld = true
    stream.pause()
    waiting.then(() => {
      isHeld = false
      stream.resume()
    }, failed)
  }
}

/** A whole number as one where it fits, else as its digits. */
export function wholeNumber(digits: string | bigint): number | string {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : String(digits)
}

/** A parameter for databases that know texts, numbers and nothing else. */
export function plainParameter(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
