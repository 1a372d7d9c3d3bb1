/** Files of texts: a crash leaves the old content or the new one, never half of it. */

import { randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SagasmithError } from '../model/errors.ts'

/**
 * Writes a text or bytes whole: a temporary file beside it, flushed, then put in place. With `exclusive` an existing
 * file is kept and the answer is false.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  options: { readonly exclusive: boolean; readonly mode?: number } = { exclusive: false },
): Promise<boolean> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`)
  try {
    await writeFlushed(temporary, content, options.mode)
    if (!options.exclusive) await rename(temporary, path)
    else if (!(await linkNew(temporary, path))) return false
    await flushFolder(dirname(path))
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Writes a text whole into a file that nobody else can read. Throws `file_not_accessible`, `file_not_found`. */
export async function writeForOwner(path: string, text: string): Promise<void> {
  try {
    await writeFileAtomically(path, text, { exclusive: false, mode: 0o600 })
  } catch (cause) {
    throw fileError(path, cause)
  }
}

/** The text of a file; null where there is none. Throws `file_not_accessible`. */
export async function textIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (isSystemError(cause, 'ENOENT')) return null
    throw fileError(path, cause)
  }
}

async function writeFlushed(
  path: string,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const file = await open(path, 'wx', mode ?? 0o644)
  try {
    // What is asked for counts whatever a new file of this person would have.
    if (mode !== undefined) await file.chmod(mode)
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  }
}

/** Makes a rename durable. Windows can't open folders and orders renames by itself. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Whether an error is the operating system's of that code. */
export const isSystemError = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** What the operating system means by its codes; its own words name calls, and files beside the one that is meant. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this person may not do that there',
  EPERM: 'the system doesn’t permit it',
  EROFS: 'its disk can only be read',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
}

/** No room on the disk, and none of what this person may have of it. */
const fullCodes = ['ENOSPC', 'EDQUOT']

/** What the operating system refused, in words: `file_not_found` or `file_not_accessible` with the path. */
export function fileError(path: string, cause: unknown): SagasmithError {
  if (cause instanceof SagasmithError) return cause
  if (isSystemError(cause, 'ENOENT')) {
    return new SagasmithError('file_not_found', {
      message: `There is no file ${path}.`,
      details: { path },
      cause,
    })
  }
  const reason = reasonOf(cause)
  const message = `The file ${path} can’t be read or written: ${reason}.`
  const isFull = fullCodes.some((code) => isSystemError(cause, code))
  const hint = isFull ? { hint: 'Its disk is full: free some space, and try again.' } : {}
  return new SagasmithError('file_not_accessible', { message, ...hint, details: { path }, cause })
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  return reasons[code] ?? cause.message
}
