/** Paths as people write them in a workflow, and what the disk answers, in words. */

import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { ErrorCode } from '../model/errors.ts'
import { SagasmithError } from '../model/errors.ts'

/**
 * The absolute path meant by a parameter. Throws `task_input_invalid` for a relative path in a workflow that
 * has no place on disk, and for a path no file system takes.
 */
export function workflowPath(path: string, baseDirectory: string | null): string {
  if (path.includes('\0')) {
    throw new SagasmithError('task_input_invalid', {
      message: 'The path holds a character no path may have.',
    })
  }
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1))
  if (isAbsolute(path)) return resolve(path)
  if (baseDirectory === null) {
    throw new SagasmithError('task_input_invalid', {
      message: `“${path}” is relative, but this workflow has not been saved anywhere yet.`,
      hint: 'Save the workflow first, or write an absolute path.',
      details: { field: 'path', path },
    })
  }
  return resolve(baseDirectory, path)
}

const codeByErrno: Readonly<Record<string, { readonly code: ErrorCode; readonly words: string }>> = {
  ENOENT: { code: 'file_not_found', words: 'does not exist' },
  ENOTDIR: { code: 'file_not_found', words: 'does not exist: a part of the path is not a folder' },
  EEXIST: { code: 'file_not_accessible', words: 'can’t be made: a file is in the place of a folder' },
  EISDIR: { code: 'file_not_accessible', words: 'is a folder' },
  EACCES: { code: 'file_not_accessible', words: 'may not be accessed' },
  EPERM: { code: 'file_not_accessible', words: 'may not be accessed' },
  EROFS: { code: 'file_not_accessible', words: 'is on a disk that cannot be written' },
  ENAMETOOLONG: { code: 'file_not_accessible', words: 'has too long a name' },
  EMFILE: { code: 'file_not_accessible', words: 'could not be opened: too many files are open' },
  ENOSPC: { code: 'store_full', words: 'could not be written: the disk is full' },
}

/** The error of a file operation as one for people; anything that isn't about files is handed back. */
export function fileError(thrown: unknown, path: string): unknown {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return thrown
  if (thrown instanceof SagasmithError) return thrown
  const known = codeByErrno[thrown.code]
  const message = known === undefined ? `“${path}”: ${thrown.message}` : `“${path}” ${known.words}.`
  const details = { path, errno: thrown.code }
  return new SagasmithError(known?.code ?? 'file_not_accessible', { message, details, cause: thrown })
}
