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
}

/** Rows as they come, up to their limits. */
export interface RowTake {
  readonly rows: JsonObject[]
  /** False when no more are wanted. Throws `task_output_too_large` where that is an error. */
  readonly add: (columns: readonly string[], values: readonly JsonValue[]) => boolean
  readonly isCut: () => boolean
}

/** Rows for one piece of work: the limits are for all its statements together. */
export function createRowTake({ rowsMax, cuts }: Pick<SqlWork, 'rowsMax' | 'cuts'>) {
  let count = 0
  let bytes = 0
  return (): RowTake => {
    const rows: JsonObject[] = []
    let isCut = false
    return {
      rows,
      isCut: () => isCut,
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

function rowOf(columns: readonly string[], values: readonly JsonValue[]): JsonObject {
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

/** A whole number as one where it fits, else as its digits. */
export function wholeNumber(digits: string | bigint): number | string {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : String(digits)
}

/** A parameter for databases that know texts, numbers and nothing else. */
export function plainParameter(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
