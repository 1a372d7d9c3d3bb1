/**
 * The workflow files that the engine may touch: those in the workspace folder, and single files that a
 * person opened explicitly. Nothing else is read or written on behalf of a client.
 */

import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { canonicalDocument } from '../model/canonical-document.ts'
import { SagasmithError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { documentBytesMax } from '../model/limits.ts'
import { readDocument } from '../model/read-document.ts'
import { isWorkflowFileName } from '../model/workflow-file.ts'
import type { InputOf, LibraryEntry, OpenedDocument, OutputOf } from '../protocol/api.ts'
import { fileError, isSystemError, writeFileAtomically } from './atomic-file.ts'
import { createLibraryList } from './library-list.ts'

export interface Library {
  readonly list: () => Promise<readonly LibraryEntry[]>
  /** Throws `file_not_found`, `document_unreadable` and its relatives; the file is never changed. */
  readonly read: (path: string) => Promise<OpenedDocument>
  /** What the file holds now; null when it is what the etag says. */
  readonly look: (path: string, etag: string) => Promise<LookedAt | null>
  readonly save: (input: InputOf<'library.save'>) => Promise<{ readonly path: string; readonly etag: string }>
  /** Where the file really is; refused when it is none of those that may be touched. */
  readonly place: (path: string) => Promise<string>
  /** Allows one more file, which a person named on the command line or in a file dialog. */
  readonly grant: (path: string) => void
}

type LookedAt = NonNullable<OutputOf<'library.look'>['changed']>

export interface LibraryOptions {
  readonly workspace: string
}

/** A library over a workspace folder that exists. */
export function createLibrary(options: LibraryOptions): Library {
  const granted = new Set<string>()
  const saving = new Map<string, Promise<unknown>>()
  const place = (path: string): Promise<string> => confine(path, options.workspace, granted)
  const save = async (input: InputOf<'library.save'>): Promise<{ path: string; etag: string }> => {
    const path = await place(input.path)
    // Two saves of one file in this process wait for each other, so that each compares with the last.
    const before = saving.get(path) ?? Promise.resolve()
    const mine = before.then(() => write(path, input))
    saving.set(
      path,
      mine.catch(() => undefined),
    )
    return mine
  }
  return {
    list: createLibraryList(options.workspace),
    read: async (path) => open(await place(path)),
    look: async (path, etag) => look(await place(path), etag),
    save,
    place,
    grant: (path) => granted.add(resolve(path)),
  }
}

/** The identity of a file's content. */
const etagOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Reads a workflow file's text with its size checked first. */
export async function readWorkflowFile(path: string): Promise<Buffer> {
  let stats: Stats
  try {
    stats = await stat(path)
    if (stats.isFile() && stats.size <= documentBytesMax) return await readFile(path)
  } catch (cause) {
    throw fileError(path, cause)
  }
  if (!stats.isFile()) {
    throw new SagasmithError('file_not_accessible', { message: `${path} is not a file.`, details: { path } })
  }
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
  throw new SagasmithError('document_too_large', {
    message: `${path} has ${megabytes(stats.size)}; at most ${megabytes(documentBytesMax)} can be opened.`,
    details: { path, bytes: stats.size, limit: documentBytesMax },
  })
}

async function look(path: string, etag: string): Promise<LookedAt | null> {
  const bytes = await readWorkflowFile(path)
  const now = etagOf(bytes)
  return now === etag ? null : { document: parsed(path, bytes), etag: now }
}

function parsed(path: string, bytes: Buffer): JsonObject {
  const read = readDocument(bytes.toString('utf8'))
  if (!read.ok) throw withPath(read.error, path)
  // A document is plain JSON data.
  return read.value.document as unknown as JsonObject
}

/** What it means is checked by whoever opens it: a second look here would take longer than all the rest. */
async function open(path: string): Promise<OpenedDocument> {
  const bytes = await readWorkflowFile(path)
  return { path, document: parsed(path, bytes), etag: etagOf(bytes) }
}

/** The same refusal, saying which file it is about. */
export function withPath(error: SagasmithError, path: string): SagasmithError {
  const { code, hint, details, retryable } = error
  // The code comes out of the catalogue: it is the code of an error.
  return new SagasmithError(code as ConstructorParameters<typeof SagasmithError>[0], {
    message: `${path}: ${error.message}`,
    hint,
    details: { ...details, path },
    retryable,
    cause: error,
  })
}

async function write(path: string, input: InputOf<'library.save'>): Promise<{ path: string; etag: string }> {
  const text = canonicalDocument(input.document)
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > documentBytesMax) throw new SagasmithError('document_too_large')
  try {
    const isNew = input.etag === null
    if (isNew) await mkdir(dirname(path), { recursive: true })
    else await expectUnchanged(path, input.etag)
    const kept = isNew ? {} : { mode: await modeToKeep(path) }
    // A link stays one: what it leads to is written.
    const target = isNew ? path : await realpath(path)
    const written = await writeFileAtomically(target, text, { exclusive: isNew, ...kept })
    if (!written) throw changedOnDisk(path, 'already exists')
  } catch (cause) {
    throw fileError(path, cause)
  }
  return { path, etag: etagOf(bytes) }
}

async function expectUnchanged(path: string, etag: string): Promise<void> {
  let current: Buffer
  try {
    current = await readFile(path)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) throw changedOnDisk(path, 'was deleted or moved since it was opened')
    throw error
  }
  if (etagOf(current) !== etag)
    throw changedOnDisk(path, 'was changed by another program since it was opened')
}

/** The bits that say who may write. */
const writeBits = 0o222
/** Those that say who may do what. */
const accessBits = 0o777

/**
 * Who may do what with a file, which its next content takes over. Nobody may write to one that is read-only: that a folder
 * lets its files be replaced doesn't mean that this one is to be.
 */
async function modeToKeep(path: string): Promise<number> {
  const { mode } = await stat(path)
  if ((mode & writeBits) !== 0) return mode & accessBits
  throw new SagasmithError('file_not_accessible', {
    message: `${path} is read-only.`,
    hint: 'Save it under another name, or let the file be written to.',
    details: { path },
  })
}

const changedOnDisk = (path: string, what: string): SagasmithError =>
  new SagasmithError('document_changed_on_disk', { message: `${path} ${what}.`, details: { path } })

/** The real path of a file that may be touched; links that lead out of the workspace are followed first. */
async function confine(path: string, workspace: string, granted: ReadonlySet<string>): Promise<string> {
  const wanted = resolve(workspace, path)
  if (granted.has(wanted)) return wanted
  const real = await realOf(wanted)
  const root = await realpath(workspace)
  if (real.startsWith(root + sep) && isWorkflowFileName(basename(real))) return real
  throw new SagasmithError('file_not_accessible', {
    message: `${wanted} is not a workflow file of the workspace.`,
    hint: `Put the file (its name ends in .json or .sagasmith) into ${workspace}, or open it with the Open command.`,
    details: { path: wanted, workspace },
  })
}

/** The path with links resolved as far as it exists. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if (!isSystemError(error, 'ENOENT') || parent === path) throw fileError(path, error)
    return join(await realOf(parent), basename(path))
  }
}
