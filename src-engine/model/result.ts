/** Expected refusals are values, not exceptions. */

import type { SagasmithError } from './errors.ts'

export type Result<T, E = SagasmithError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error })

/** Makes the compiler prove that a union was handled whole. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}

/** States what must hold; a failure is a bug of ours, never a user's mistake. */
export function assert(condition: unknown, expectation: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${expectation}`)
}
