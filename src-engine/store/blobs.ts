/** Large payloads, stored once by the sha256 of their bytes: in memory, or as files beside a database. */

import { hash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SagasmithError } from '../model/errors.ts'
import type { BlobHash } from '../model/ids.ts'
import { blobHash } from '../model/ids.ts'
import { blobBytesMax } from '../model/limits.ts'
import type { Instant } from '../model/time.ts'

/** The blob half of the store contract. */
export interface Blobs {
  readonly put: (bytes: Uint8Array) => Promise<BlobHash>
  readonly get: (hash: BlobHash) => Promise<Uint8Array>
  /** Removes them, named or not; those that aren't there are passed over. */
  readonly drop: (hashes: readonly BlobHash[]) => Promise<void>
  /** Removes what was last put before the instant and isn't named; how many went. */
  readonly sweep: (before: Instant, isNamed: (hash: BlobHash) => boolean) => Promise<number>
}

/** Blobs that last as long as the process. */
export function createMemoryBlobs(now: () => Instant): Blobs {
  const bytesByHash = new Map<BlobHash, Uint8Array>()
  const putAt = new Map<BlobHash, Instant>()
  return {
    async put(bytes) {
      const name = nameOf(bytes)
      putAt.set(name, now())
      if (!bytesByHash.has(name)) bytesByHash.set(name, Uint8Array.from(bytes))
      return name
    },
    async get(name) {
      const bytes = bytesByHash.get(name)
      if (bytes === undefined) throw missing(name, 'missing')
      return Uint8Array.from(bytes)
    },
    async drop(names) {
      for (const name of names) {
        putAt.delete(name)
        bytesByHash.delete(name)
      }
    },
    async sweep(before, isNamed) {
      let removed = 0
      for (const [name, at] of putAt) {
        if (at >= before || isNamed(name)) continue
        putAt.delete(name)
        bytesByHash.delete(name)
        removed += 1
      }
      return removed
    },
  }
}

/**
 * Blobs as files `<directory>/ab/<hash>`. A file appears whole or not at all: it is written under another
 * name, synced and renamed, and the folder is synced too.
 */
export function createFileBlobs(directory: string, now: () => Instant): Blobs {
  let written = 0
  return {
    async put(bytes) {
      const name = nameOf(bytes)
      const folder = join(directory, name.slice(0, 2))
      const path = join(folder, name)
      // Whoever puts it is about to name it: it counts as young again.
      if ((await isIntact(path, name)) && (await isTouched(path, now()))) return name
      written += 1
      // Named before anything is waited for: two that put the same bytes at once have a file each.
      const temporary = `${path}.${process.pid}-${written}.tmp`
      await mkdir(folder, { recursive: true })
      await writeSynced(temporary, bytes)
      await touch(temporary, now())
      await rename(temporary, path)
      await syncFolder(folder)
      await syncFolder(directory)
      return name
    },
    async get(name) {
      if (!isHash(name)) throw missing(name, 'missing')
      const path = join(directory, name.slice(0, 2), name)
      const read = () => readFile(path)
      // A sweep that looks at it again has it out of the way for a moment.
      const bytes = await read()
        .catch(read)
        .catch((cause: unknown) => {
          throw missing(name, 'missing', cause)
        })
      if (hash('sha256', bytes, 'hex') !== name) throw missing(name, 'damaged')
      return bytes
    },
    async drop(names) {
      for (const name of names.filter(isHash))
        await rm(join(directory, name.slice(0, 2), name), { force: true })
    },
    sweep: (before, isNamed) => sweepFiles(directory, before, isNamed),
  }
}

/** Nothing else may become part of a path. */
const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)

async function sweepFiles(
  directory: string,
  before: Instant,
  isNamed: (hash: BlobHash) => boolean,
): Promise<number> {
  let removed = 0
  // No folder yet means no blob yet.
  const folders = await readdir(directory).catch(() => [])
  for (const folder of folders) {
    for (const name of await readdir(join(directory, folder))) {
      const path = join(directory, folder, name)
      const aside = asidePattern.exec(name)?.[1]
      if (aside !== undefined) await putBack(path, { aside, isNamed })
      // Looked at first, so that one that was just put again stays; another process may have removed it.
      const found = await stat(path).catch(() => null)
      if (found === null || found.mtimeMs >= before) continue
      if (isHash(name) && isNamed(blobHash(name))) continue
      if (await removeOlder(path, before)) removed += 1
    }
  }
  return removed
}

/**
 * Out of the way first, and looked at once more: whoever puts it from then on finds nothing there and writes it
 * anew, and who put it before has made it young.
 */
async function removeOlder(path: string, before: Instant): Promise<boolean> {
  const aside = `${path}.${process.pid}.old.tmp`
  if (!(await isDone(rename(path, aside)))) return false
  const found = await stat(aside).catch(() => null)
  const isYoung = found !== null && found.mtimeMs >= before
  // The same bytes, should somebody have put them anew meanwhile.
  if (isYoung) await rename(aside, path)
  else await rm(aside, { force: true })
  return !isYoung
}

/** What `removeOlder` puts aside; only a crash leaves one. */
const asidePattern = /^([0-9a-f]{64})\.\d+\.old\.tmp$/

/** What was put aside when it had just been named, and its sweeper ended there. */
async function putBack(
  path: string,
  { aside, isNamed }: { readonly aside: string; readonly isNamed: (hash: BlobHash) => boolean },
): Promise<void> {
  if (isNamed(blobHash(aside))) await isDone(rename(path, join(dirname(path), aside)))
}

const isDone = async (act: Promise<unknown>): Promise<boolean> =>
  act.then(
    () => true,
    () => false,
  )

/** False when somebody has removed it: then it is to be written anew. */
const isTouched = (path: string, at: Instant): Promise<boolean> => isDone(touch(path, at))

const touch = (path: string, at: Instant): Promise<void> => utimes(path, at / 1_000, at / 1_000)

function nameOf(bytes: Uint8Array): BlobHash {
  if (bytes.byteLength > blobBytesMax) {
    throw new SagasmithError('payload_too_large', {
      message: `The data has ${bytes.byteLength} bytes; at most ${blobBytesMax} can be handed on.`,
      details: { bytes: bytes.byteLength, bytesMax: blobBytesMax },
    })
  }
  return blobHash(hash('sha256', bytes, 'hex'))
}

/** A file that was damaged since is written anew. */
async function isIntact(path: string, name: BlobHash): Promise<boolean> {
  // Not being there is the usual case of a first write.
  const bytes = await readFile(path).catch(() => null)
  return bytes !== null && hash('sha256', bytes, 'hex') === name
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no way to sync a folder; its rename is journalled by the file system.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function missing(name: string, how: 'missing' | 'damaged', cause?: unknown): SagasmithError {
  const message = `The stored payload ${name.slice(0, 12)}… is ${how}.`
  return new SagasmithError('blob_missing', { message, details: { hash: name }, cause })
}
