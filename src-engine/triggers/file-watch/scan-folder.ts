/** Reads which files of a folder fit a pattern, and how each looks from outside. */

import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import { watchedFilesMax } from '../../model/limits.ts'
import type { FileStamp, FolderFiles } from './folder-changes.ts'

export interface FolderToScan {
  /** An absolute path. */
  readonly folder: string
  /** `*.csv`; with folders inside it may say `**`. */
  readonly pattern: string
  readonly recursive: boolean
}

/**
 * The files that fit, by path. Links are not followed: they could lead out of the folder, or around in it.
 * Throws `file_not_found`, `file_access_denied` and such for the folder itself, `folder_too_large`.
 */
export async function scanFolder({ folder, pattern, recursive }: FolderToScan): Promise<FolderFiles> {
  const files = new Map<string, FileStamp>()
  const open: string[] = ['']
  for (let inside = open.pop(); inside !== undefined; inside = open.pop()) {
    for (const entry of await entriesOf(folder, inside)) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory()) {
        if (recursive) open.push(path)
      } else if (entry.isFile() && fits(path, pattern)) {
        const stamp = await stampOf(join(folder, path))
        if (stamp !== null) files.set(path, stamp)
        if (files.size > watchedFilesMax) throw tooLarge(folder)
      }
    }
  }
  return files
}

/** A pattern without a slash is one for names, wherever the file lies. */
const fits = (path: string, pattern: string): boolean =>
  posix.matchesGlob(pattern.includes('/') ? path : posix.basename(path), pattern)

async function entriesOf(folder: string, inside: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(join(folder, inside), { withFileTypes: true })
  } catch (error) {
    // A folder inside it that went, or that may not be read, has no files; the folder itself must be there.
    if (inside !== '') return []
    throw error
  }
}

/** Null for one that went while the folder was read. */
async function stampOf(path: string): Promise<FileStamp | null> {
  try {
    // No inode: on network drives it changes with every mount.
    const { size, mtimeMs } = await lstat(path)
    return `${size}:${mtimeMs}`
  } catch {
    return null
  }
}

const tooLarge = (folder: string): SagasmithError =>
  new SagasmithError('folder_too_large', {
    message: `“${folder}” has more than ${watchedFilesMax} files that fit.`,
    details: { folder, limit: watchedFilesMax },
  })
