/** Why a watched folder can't be read, as people are told. Pure. */

import type { ErrorCode } from '../../model/error-codes.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { Instant } from '../../model/time.ts'
import type { SourceProblem } from '../../model/trigger.ts'

interface Said {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
}

/** What a system says, by its code. */
function said(code: string, folder: string): Said | null {
  switch (code) {
    case 'ENOENT':
      return {
        code: 'file_not_found',
        message: `There is no folder “${folder}” on this machine.`,
        hint: 'Make it, or name another one and publish the workflow again. It is looked for every half minute.',
      }
    case 'ENOTDIR':
      return {
        code: 'file_not_accessible',
        message: `“${folder}” is a file, or lies in one.`,
        hint: 'Name the folder that the files are in, and publish the workflow again.',
      }
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'file_not_accessible',
        message: `The engine may not look into “${folder}”.`,
        hint: 'Let its user read the folder. It is tried again every half minute.',
      }
    default:
      return null
  }
}

/** `at`: since when it is so. */
export function folderProblemOf(thrown: unknown, at: Instant): SourceProblem {
  const told = thrown instanceof SagasmithError ? null : systemWords(thrown)
  const { code, message, hint } = told ?? recordOfThrown(thrown)
  return { code, message, hint, at }
}

function systemWords(thrown: unknown): Said | null {
  if (!(thrown instanceof Error)) return null
  const { code, path } = thrown as { readonly code?: unknown; readonly path?: unknown }
  return typeof code === 'string' && typeof path === 'string' ? said(code, path) : null
}
