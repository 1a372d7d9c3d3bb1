/**
 * Every refusal is a SagasmithError: a stable code for programs, a message that says what happened,
 * a hint that says what to do next, and details for machines. The codes live once, in `error-codes.ts`.
 */

import type { ErrorCode } from './error-codes.ts'
import { errorCatalogue } from './error-codes.ts'
import type { JsonObject } from './json.ts'

export type { ErrorCode } from './error-codes.ts'

/** An error as data: what crosses a process boundary and what an attempt keeps. */
export interface ErrorRecord {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly details: JsonObject
  /** Whether trying again without a change can succeed. */
  readonly retryable: boolean
}

export interface ErrorParts {
  /** Says what happened, with the names involved. The catalogue's title when absent. */
  readonly message?: string
  readonly hint?: string
  readonly details?: JsonObject
  readonly retryable?: boolean
  readonly cause?: unknown
}

/** The one error class of the product. */
export class SagasmithError extends Error {
  readonly code: string
  readonly hint: string
  readonly details: JsonObject
  readonly retryable: boolean

  constructor(code: ErrorCode, parts: ErrorParts = {}) {
    const entry = errorCatalogue[code]
    super(parts.message ?? entry.title, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.name = 'SagasmithError'
    this.code = code
    this.hint = parts.hint ?? entry.hint
    this.details = parts.details ?? {}
    this.retryable = parts.retryable ?? entry.retryable
  }
}

/** The error as plain data. */
export function toErrorRecord(error: SagasmithError): ErrorRecord {
  const { code, message, hint, details, retryable } = error
  return { code, message, hint, details, retryable }
}

/** Whether the catalogue has that code. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code)

/** An error record from a code of the catalogue, without a stack. */
export function errorRecord(code: ErrorCode, parts: ErrorParts = {}): ErrorRecord {
  const entry = errorCatalogue[code]
  return {
    code,
    message: parts.message ?? entry.title,
    hint: parts.hint ?? entry.hint,
    details: parts.details ?? {},
    retryable: parts.retryable ?? entry.retryable,
  }
}

/** Anything thrown, as a record: a SagasmithError keeps its code, everything else is `internal`. */
export function recordOfThrown(thrown: unknown): ErrorRecord {
  if (thrown instanceof SagasmithError) return toErrorRecord(thrown)
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return errorRecord('internal', { message })
}

/** A thrown-in value of another process as an error again. */
export function errorOfRecord(record: ErrorRecord): SagasmithError {
  const code = record.code in errorCatalogue ? (record.code as ErrorCode) : 'internal'
  const { message, hint, details, retryable } = record
  return new SagasmithError(code, { message, hint, details, retryable })
}
