/** What a database server, or the way to it, says went wrong, as an error for people. */

import type { ErrorCode } from '../../model/errors.ts'
import { SagasmithError } from '../../model/errors.ts'

/** Trying again helps: conflicts of transactions, a server that is busy, restarts or was told to stop. */
const temporaryStates = /^(40|53|55P03|57P0[1-3]|08)/
const signInStates = /^(28|3D000|42000-1044)/
const temporaryNumbers: ReadonlySet<unknown> = new Set([1205, 1213, 1040, 1053, 3024])
const signInNumbers: ReadonlySet<unknown> = new Set([1044, 1045, 1049, 1251, 1698])

/** The error of a driver as one of ours; ours are handed back. */
export function serverError(thrown: unknown, host: string): unknown {
  if (thrown instanceof SagasmithError || !(thrown instanceof Error)) return thrown
  const {
    code = null,
    errno,
    sqlState,
    position,
    fatal,
  } = thrown as Error & {
    readonly code?: string | null
    readonly errno?: unknown
    readonly sqlState?: unknown
    readonly position?: unknown
    readonly fatal?: unknown
  }
  const isFromServer = 'severity' in thrown || (typeof sqlState === 'string' && typeof errno === 'number')
  if (!isFromServer) {
    return failure('connection_failed', thrown, {
      message: `${host}: ${thrown.message === '' ? code : thrown.message}`,
      details: { host, reason: code ?? thrown.name, fatal: fatal === true },
    })
  }
  const state = typeof sqlState === 'string' ? sqlState : (code ?? '')
  const isSignIn = signInStates.test(state) || signInNumbers.has(errno)
  return failure(isSignIn ? 'sign_in_refused' : 'sql_failed', thrown, {
    message: `${host} says: ${thrown.message}`,
    details: { host, state, ...(typeof position === 'string' ? { position: Number(position) } : {}) },
    retryable: temporaryStates.test(state) || temporaryNumbers.has(errno),
  })
}

function failure(
  code: ErrorCode,
  cause: Error,
  parts: ConstructorParameters<typeof SagasmithError>[1],
): SagasmithError {
  return new SagasmithError(code, { ...parts, cause })
}
