/** The files of a folder by their names; links are listed as what they are, and not followed. */

import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join, matchesGlob, relative, sep } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import { throwIfAborted } from '../abort.ts'
import { filePlace } from '../file-place.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { ListFilesParameters } from './spec.ts'

/** One entry of a folder. */
export interface FoundFile {
  readonly path: string
  /** From the folder, with slashes. */
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly bytes: number
  readonly changedAt: string
  readonly changedMs: number
}

export const listFilesRun: TaskRun<ListFilesParameters> = {
  async execute(parameters, context) {
    const folder = await filePlace(parameters.folder, context, 'read')
    const files = await foundFiles(folder, { ...parameters, signal: context.signal })
    const ordered = files.toSorted(orders[parameters.sort])
    context.log({ level: 'info', stream: 'task', text: `${ordered.length} in ${folder}` })
    return completed({
      folder,
      count: ordered.length,
      files: ordered.map(({ changedMs: _changedMs, ...told }) => told),
    })
  },
}

const byName = (a: FoundFile, b: FoundFile): number => (a.name < b.name ? -1 : Number(a.name > b.name))

const orders: Readonly<Record<ListFilesParameters['sort'], (a: FoundFile, b: FoundFile) => number>> = {
  name: byName,
  newest: (a, b) => b.changedMs - a.changedMs || byName(a, b),
  oldest: (a, b) => a.changedMs - b.changedMs || byName(a, b),
  largest: (a, b) => b.bytes - a.bytes || byName(a, b),
}

/** What is looked for in a folder, and how much of it at most. */
export interface FileSearch extends Pick<ListFilesParameters, 'pattern' | 'kinds' | 'hidden' | 'maxEntries'> {
  readonly signal: AbortSignal
}

/** In no certain order. Throws `file_not_found` and `task_output_too_large`. */
export async function foundFiles(folder: string, search: FileSearch): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  const ahead = [folder]
  const isDeep = search.pattern.includes('/') || search.pattern.includes('**')
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    throwIfAborted(search.signal)
    try {
      for await (const entry of await opendir(next)) {
        if (!search.hidden && entry.name.startsWith('.')) continue
        const path = join(next, entry.name)
        if (entry.isDirectory() && isDeep) ahead.push(path)
        const name = relative(folder, path).split(sep).join('/')
        if (!isWanted(entry, search) || !matchesGlob(name, search.pattern)) continue
        if (found.length === search.maxEntries) throw tooMany(folder, search.maxEntries)
        found.push(await foundFile(path, name))
      }
    } catch (thrown) {
      throw fileError(thrown, next)
    }
  }
  return found
}

function isWanted(entry: Dirent, { kinds }: FileSearch): boolean {
  return kinds === 'both' || entry.isDirectory() === (kinds === 'folders')
}

async function foundFile(path: string, name: string): Promise<FoundFile> {
  const at = await lstat(path)
  const kind = at.isDirectory() ? 'folder' : at.isFile() ? 'file' : at.isSymbolicLink() ? 'link' : 'other'
  return { path, name, kind, bytes: at.size, changedAt: at.mtime.toISOString(), changedMs: at.mtimeMs }
}

function tooMany(folder: string, maxEntries: number): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `“${folder}” has more than ${maxEntries} entries of that name.`,
    hint: 'Narrow the names, or raise the limit in the node’s settings.',
    details: { folder, maxEntries },
  })
}
