/**
 * Workflow files on disk. A page reaches the workspace, where samples and new workflows lie, and else only files that a
 * person chose: by dialog, on the command line, or earlier, as the recent list remembers. Nothing another program wrote
 * is overwritten unseen.
 */

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import { documentBytesMax } from '../../src-engine/model/limits.ts'
import type { Clock } from '../../src-engine/model/ports.ts'
import type {
  DesktopFile,
  RecentFile,
  SaveRequest,
  SaveTarget,
} from '../../src-engine/protocol/desktop-api.ts'
import { fileError, writeFileAtomically } from '../../src-engine/shell/atomic-file.ts'
import type { SettingsStore } from './settings.ts'

/** A longer list is searched, not glanced over. */
const recentCountMax = 20

export interface FilesDeps {
  readonly settings: SettingsStore
  readonly clock: Pick<Clock, 'now'>
  /** The folder of the data directory whose workflows every page lists. */
  readonly workspace: string
  /** Tells the system's own recent list. */
  readonly onUsed: (path: string) => void
}

export interface Files {
  /** Lets pages reach a path that a person chose; gives it absolute. */
  readonly grant: (path: string) => string
  readonly read: (path: string) => Promise<DesktopFile>
  /** Null when it is what the etag says. */
  readonly look: (path: string, etag: string) => Promise<DesktopFile | null>
  readonly save: (request: SaveRequest) => Promise<{ readonly etag: string }>
  /** What lies at a chosen place now. */
  readonly target: (path: string) => Promise<SaveTarget>
  readonly recent: () => readonly RecentFile[]
  readonly forget: (path: string) => Promise<null>
  /** The path, if pages may reach it; else an error. */
  readonly permitted: (path: string) => string
}

const etagOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function bytesOf(path: string): Promise<Uint8Array | 'too large'> {
  try {
    const { size } = await stat(path)
    return size <= documentBytesMax ? await readFile(path) : 'too large'
  } catch (error) {
    throw fileError(path, error)
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  const bytes = await bytesOf(path)
  if (bytes !== 'too large') return bytes
  throw new SagasmithError('document_too_large', {
    message: `${path} is larger than a workflow may be (${documentBytesMax} bytes).`,
    details: { path },
  })
}

async function etagOnDisk(path: string): Promise<string | null> {
  try {
    return etagOf(await readBytes(path))
  } catch (error) {
    if (error instanceof SagasmithError && error.code === 'file_not_found') return null
    throw error
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const message = `${path} is not a text file in UTF-8.`
    throw new SagasmithError('document_unreadable', { message, details: { path }, cause: error })
  }
}

function changedOnDisk(path: string, etags: { expectedEtag: string | null; foundEtag: string | null }) {
  return new SagasmithError('document_changed_on_disk', {
    message: `${path} was changed by another program since it was opened.`,
    details: { path, ...etags },
  })
}

/** A link stays a link, and the file keeps its permissions. */
async function replace(path: string, text: string, exclusive: boolean): Promise<boolean> {
  const target = await realpath(path).catch(() => path)
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  )
  try {
    return await writeFileAtomically(target, text, { exclusive, mode })
  } catch (error) {
    throw fileError(path, error)
  }
}

async function saveOnce({ path, text, etag }: SaveRequest): Promise<{ readonly etag: string }> {
  const found = await etagOnDisk(path)
  // A file that is gone holds nothing that could be lost.
  if (found !== null && found !== etag) throw changedOnDisk(path, { expectedEtag: etag, foundEtag: found })
  const isWritten = await replace(path, text, found === null)
  if (!isWritten) throw changedOnDisk(path, { expectedEtag: etag, foundEtag: await etagOnDisk(path) })
  return { etag: etagOf(new TextEncoder().encode(text)) }
}

/** Where a path really leads, of a file that may not be there yet; null where its folder isn't. */
function realPlace(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path))
    } catch {
      return null
    }
  }
}

const workflowExtensions = new Set(['.json', '.sagasmith'])

/** Whether it is a workflow of the workspace, and no link that leads out of it. */
function isOfWorkspace(workspace: string, absolute: string): boolean {
  if (!workflowExtensions.has(extname(absolute))) return false
  const [root, place] = [realPlace(workspace), realPlace(absolute)]
  return root !== null && place !== null && dirname(place) === root && workflowExtensions.has(extname(place))
}

/** Makes the file service; the recent list lives in the settings. */
export function createFiles({ settings, clock, workspace, onUsed }: FilesDeps): Files {
  const granted = new Set<string>(settings.recent().map(({ path }) => path))
  const lastSave = new Map<string, Promise<unknown>>()

  const permitted = (path: string): string => {
    const absolute = resolve(path)
    if (granted.has(absolute) || isOfWorkspace(workspace, absolute)) return absolute
    const message = `${absolute} was not chosen in this app.`
    const hint = 'Open the file with File › Open… first.'
    throw new SagasmithError('file_not_accessible', { message, hint, details: { path: absolute } })
  }
  const remember = async (path: string): Promise<void> => {
    const others = settings.recent().filter((entry) => entry.path !== path)
    await settings.setRecent([{ path, openedAt: clock.now() }, ...others].slice(0, recentCountMax))
    onUsed(path)
  }
  const read = async (path: string): Promise<DesktopFile> => {
    const absolute = permitted(path)
    const bytes = await readBytes(absolute)
    const text = decode(absolute, bytes)
    await remember(absolute)
    return { path: absolute, text, etag: etagOf(bytes) }
  }
  const look = async (path: string, etag: string): Promise<DesktopFile | null> => {
    const absolute = permitted(path)
    const bytes = await readBytes(absolute)
    const now = etagOf(bytes)
    return now === etag ? null : { path: absolute, text: decode(absolute, bytes), etag: now }
  }
  const save = async (request: SaveRequest): Promise<{ readonly etag: string }> => {
    const path = permitted(request.path)
    // Two saves of one file run one after the other: the second must see what the first wrote.
    const turn = (lastSave.get(path) ?? Promise.resolve()).catch(() => undefined)
    const saved = turn.then(() => saveOnce({ ...request, path }))
    lastSave.set(path, saved)
    const answer = await saved
    await remember(path)
    return answer
  }
  const grant = (path: string): string => {
    const absolute = resolve(path)
    granted.add(absolute)
    return absolute
  }

  return {
    grant,
    read,
    look,
    save,
    permitted,
    target: async (path) => ({ path, etag: await etagOnDisk(path) }),
    recent: settings.recent,
    forget: async (path) => {
      await settings.setRecent(settings.recent().filter((entry) => entry.path !== resolve(path)))
      return null
    },
  }
}
