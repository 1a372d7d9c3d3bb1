/**
 * Unpacks an archive into a new folder. Archives come from anywhere: names that lead out, links, devices,
 * the same name twice, and files that grow beyond measure are refused, and then nothing is left behind.
 */

import { createWriteStream } from 'node:fs'
import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { withinDeadline } from '../deadline.ts'
import { filePlace, isWithin } from '../file-place.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { FileChange } from './changes.ts'
import { exists, unfinishedPath } from './kept.ts'
import type { UnzipFileParameters } from './spec.ts'

/** Honest files are not packed better than this; a little one may be. */
const ratioMax = 100
const ratioFreeBytes = 100_000
/** Characters of a name with its folders: less than any system takes. */
const nameMax = 1_024

export const unzipFileRun: TaskRun<UnzipFileParameters> = {
  async execute(parameters, context) {
    const from = await filePlace(parameters.from, context, 'read')
    const to = await filePlace(parameters.to, context, 'write')
    const { timeoutMs } = parameters
    const output = await withinDeadline({ timeoutMs }, context, (signal) =>
      unpacked({ from, to, parameters, context, signal }),
    )
    context.log({ level: 'info', stream: 'task', text: `${from} → ${to}` })
    return completed(output)
  },
}

interface Unpacking {
  readonly from: string
  readonly to: string
  readonly parameters: UnzipFileParameters
  readonly context: TaskContext
  readonly signal: AbortSignal
}

async function unpacked(unpacking: Unpacking): Promise<JsonObject> {
  const { from, to, parameters, context, signal } = unpacking
  const unfinished = unfinishedPath(to, context.idempotencyKey)
  try {
    if (await exists(to)) throw isThereAlready(parameters.to)
    await mkdir(dirname(to), { recursive: true })
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished)
    // Loaded with the first archive. Sizes are checked as they come, names by the library and by us.
    const { default: yauzl } = await import('yauzl')
    const archive = await yauzl.openPromise(from, {
      lazyEntries: true,
      strictFileNames: true,
      autoClose: false,
    })
    try {
      const files = await extracted(archive, unfinished, { parameters, signal })
      signal.throwIfAborted()
      await rename(unfinished, to)
      const { size: bytes, mtimeMs: changedMs } = await lstat(to)
      const undo: readonly FileChange[] = [{ kind: 'made', path: to, bytes, changedMs }]
      return { folder: to, files: [...files], count: files.size, undo: undo.map((one) => ({ ...one })) }
    } finally {
      archive.close()
    }
  } catch (thrown) {
    throw archiveError(thrown, parameters.from)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function extracted(
  archive: ZipFile,
  folder: string,
  { parameters, signal }: Pick<Unpacking, 'parameters' | 'signal'>,
): Promise<ReadonlySet<string>> {
  const { maxFiles, maxBytes } = parameters
  if (archive.entryCount > maxFiles) throw refused(`it has more than ${maxFiles} files`)
  const seen: Seen = { names: new Set(), files: new Set(), folders: new Set() }
  const files = new Set<string>()
  let left = maxBytes
  for (
    let entry = await nextEntry(archive, signal);
    entry !== null;
    entry = await nextEntry(archive, signal)
  ) {
    const name = entry.fileName.replace(/\/+$/, '')
    checkEntry(entry, { name, folder, seen })
    const path = join(folder, name)
    if (entry.fileName.endsWith('/')) {
      await mkdir(path, { recursive: true })
      continue
    }
    await mkdir(dirname(path), { recursive: true })
    const packedMax = Math.max(ratioFreeBytes, entry.compressedSize * ratioMax)
    left -= await written(archive, { entry, path, bytesMax: Math.min(left, packedMax), signal })
    files.add(name)
  }
  return files
}

function nextEntry(archive: ZipFile, signal: AbortSignal): Promise<Entry | null> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    archive.removeAllListeners()
    archive.once('entry', resolve)
    archive.once('end', () => resolve(null))
    archive.once('error', reject)
    archive.readEntry()
  })
}

interface Seen {
  /** Names of files and folders, as disks tell them apart that know no large and small letters. */
  readonly names: Set<string>
  readonly files: Set<string>
  readonly folders: Set<string>
}

function checkEntry(
  entry: Entry,
  at: { readonly name: string; readonly folder: string; readonly seen: Seen },
): void {
  const { name, folder, seen } = at
  const parts = name.split('/')
  const isOdd = parts.some((part) => part === '' || part === '.' || part === '..' || part.length > 255)
  if (isOdd || name.length > nameMax || /[\\:]/.test(name) || !isWithin(join(folder, name), folder)) {
    throw refused(`the name “${shownName(name)}” leads out of the folder, or is none`)
  }
  if (parts.some((part) => deviceName.test(part) || meansMore.test(part)))
    throw refused(`the name “${shownName(name)}” means something else than a file on some systems`)
  // The upper half holds what Unix says of a file: only plain files and folders are taken.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000
  if (type !== 0 && type !== 0o100000 && type !== 0o040000) throw refused(`“${name}” is a link or a device`)
  if (entry.isEncrypted()) throw refused(`“${name}” is encrypted`)
  remember(entry, parts, seen)
}

/** What Windows takes for a device, whatever follows the dot. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** What Windows drops at an end, and what terminals act on. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const meansMore = /[. ]$|[\u0000-\u001f\u007f]/

const shownName = (name: string): string => JSON.stringify(name.slice(0, 200)).slice(1, -1)

function remember(entry: Entry, parts: readonly string[], { names, files, folders }: Seen): void {
  const keys = parts.map((_, index) => keyOf(parts.slice(0, index + 1)))
  const key = keys.at(-1) ?? ''
  if (names.has(key)) throw refused(`“${entry.fileName}” is in it twice`)
  names.add(key)
  const isFolder = entry.fileName.endsWith('/')
  for (const around of isFolder ? keys : keys.slice(0, -1)) folders.add(around)
  if (!isFolder) files.add(key)
  if (keys.some((one) => files.has(one) && folders.has(one)))
    throw refused(`“${entry.fileName}” is a file and a folder`)
}

const keyOf = (parts: readonly string[]): string => parts.join('/').normalize('NFC').toLowerCase()

async function written(
  archive: ZipFile,
  file: {
    readonly entry: Entry
    readonly path: string
    readonly bytesMax: number
    readonly signal: AbortSignal
  },
): Promise<number> {
  const { entry, path, bytesMax, signal } = file
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax)
        done(refused(`“${entry.fileName}” is larger than allowed, or packed beyond measure`))
      else done(null, chunk)
    },
  })
  const source = await archive.openReadStreamPromise(entry)
  await pipeline(source, counted, createWriteStream(path, { flags: 'wx', mode: 0o666 }), { signal })
  return bytes
}

function refused(why: string): SagasmithError {
  return new SagasmithError('archive_refused', { message: `The archive is not unpacked: ${why}.` })
}

function archiveError(thrown: unknown, path: string): unknown {
  const known = fileError(thrown, path)
  if (known !== thrown || thrown instanceof SagasmithError || !(thrown instanceof Error)) return known
  return new SagasmithError('archive_refused', {
    message: `“${path}” is no zip archive that can be read: ${thrown.message}.`,
    details: { path },
    cause: thrown,
  })
}

function isThereAlready(path: string): SagasmithError {
  return new SagasmithError('file_exists', { message: `“${path}” is there already.`, details: { path } })
}
