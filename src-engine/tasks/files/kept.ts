/**
 * What a step leaves beside the files that it changes until that is certain not to be wanted back: a folder
 * named after its idempotency key. It is there before anything is changed, so that a repetition after a crash
 * knows what was its own doing.
 */

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../../model/ports.ts'

/** The folder's name; listings leave it out like all that begins with a dot. */
const keptName = '.sagasmith-kept'
const keptMs = 7 * 24 * 3_600_000

export interface KeptPlace {
  /** Whether an earlier attempt of the same step has begun. */
  readonly isRepeated: boolean
  /** Where what was there is; whether there was anything, `has` tells. */
  readonly path: string
  readonly has: () => Promise<boolean>
  /** Keeps a file that stays where it is until another takes its place. */
  readonly keepCopy: () => Promise<void>
  /** Keeps by taking away. */
  readonly keepMoved: () => Promise<void>
  /** Done: an empty place goes, and so does what is too old. */
  readonly finish: () => Promise<void>
}

/** Opens the place for one changed path. */
export async function openKept(path: string, idempotencyKey: string, clock: Clock): Promise<KeptPlace> {
  const root = join(dirname(path), keptName)
  const key = createHash('sha256').update(idempotencyKey).update('\0').update(path).digest('hex').slice(0, 24)
  const own = join(root, key)
  await mkdir(root, { recursive: true })
  const isRepeated = await mkdir(own).then(
    () => false,
    (thrown: unknown) => {
      if (errnoOf(thrown) === 'EEXIST') return true
      throw thrown
    },
  )
  const kept = join(own, basename(path))
  const has = () => exists(kept)
  return {
    isRepeated,
    path: kept,
    has,
    keepCopy: async () => {
      if (await has()) return
      // The same file under a second name, where the disk can do that.
      await link(path, kept).catch(() => copyFile(path, kept, constants.COPYFILE_EXCL))
    },
    keepMoved: async () => {
      if (!(await has())) await rename(path, kept)
    },
    finish: async () => {
      await rmdir(own).catch(() => null)
      await removeOld(root, clock)
      await rmdir(root).catch(() => null)
    },
  }
}

/** Whether anything is there, a broken link included. */
export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (thrown: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(errnoOf(thrown))) return false
      throw thrown
    },
  )

/** What the system says went wrong; empty for other errors. */
export const errnoOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''

/** A name beside a path for what is not finished yet. */
export function unfinishedPath(path: string, idempotencyKey: string): string {
  const key = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 16)
  return join(dirname(path), `.${basename(path).slice(0, 100)}.${key}.tmp`)
}

async function removeOld(root: string, clock: Clock): Promise<void> {
  for (const name of await readdir(root)) {
    const path = join(root, name)
    const at = await stat(path).catch(() => null)
    if (at !== null && at.mtimeMs < clock.now() - keptMs) await rm(path, { recursive: true, force: true })
  }
}
