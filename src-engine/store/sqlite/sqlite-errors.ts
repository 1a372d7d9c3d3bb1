/** SQLite's failures in the engine's words: what happened, what to do, whether trying again can help. */

import type { ErrorCode } from '../../model/errors.ts'
import { SagasmithError } from '../../model/errors.ts'

const codeByPrefix: readonly (readonly [prefix: string, code: ErrorCode])[] = [
  ['SQLITE_FULL', 'store_full'],
  ['SQLITE_BUSY', 'store_busy'],
  ['SQLITE_LOCKED', 'store_busy'],
  ['SQLITE_CORRUPT', 'store_corrupt'],
  ['SQLITE_NOTADB', 'store_corrupt'],
  ['SQLITE_IOERR', 'store_failed'],
  ['SQLITE_CANTOPEN', 'store_failed'],
  ['SQLITE_READONLY', 'store_failed'],
  ['SQLITE_PERM', 'store_failed'],
]

/** The failure as a SagasmithError; what isn't one of SQLite's own is given back as it is. */
export function sqliteFailure(thrown: unknown, file: string): unknown {
  const code = sqliteCode(thrown)
  if (code === null || !(thrown instanceof Error)) return thrown
  const known = codeByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'internal'
  return new SagasmithError(known, {
    message: `The data file ${file} could not be used: ${thrown.message} (${code}).`,
    details: { file, sqlite: code },
    cause: thrown,
  })
}

/** Whether the medium failed, so that trying the parts of a batch one by one can't help. */
export function isMediumFailure(thrown: unknown): boolean {
  const code = sqliteCode(thrown)
  return code !== null && codeByPrefix.some(([prefix]) => code.startsWith(prefix))
}

/** Whether another connection has the file: waiting helps. */
export function isBusy(thrown: unknown): boolean {
  const code = sqliteCode(thrown)
  return code !== null && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
}

function sqliteCode(thrown: unknown): string | null {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return null
  const { code } = thrown
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : null
}
