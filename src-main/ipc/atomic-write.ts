/** Replaces a file as a whole: a reader sees the old content or the new one, also after a power cut. */

import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A link stays a link: the file it points to is the one that is replaced. */
async function targetOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

async function modeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found === null ? 0o644 : found.mode & 0o777
}

async function writeDurably(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the rename itself durable; Windows has no such handle and needs none. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  if (handle === null) return
  await handle.sync().catch(() => undefined)
  await handle.close()
}

/** Writes through a temporary file in the same folder; on failure the old content stays. */
export async function writeFileAtomic(path: string, bytes: Uint8Array): Promise<void> {
  const target = await targetOf(path)
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
  try {
    await writeDurably(temporary, bytes, await modeOf(target))
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(target))
}
