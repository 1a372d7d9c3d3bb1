/** Which workflow files a workspace holds; files that can't be opened are listed with the reason. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { documentBytesMax } from '../model/limits.ts'
import { readDocument } from '../model/read-document.ts'
import { documentFormat } from '../model/workflow.ts'
import { isWorkflowFileName, withoutWorkflowEnding } from '../model/workflow-file.ts'
import type { LibraryEntry } from '../protocol/api.ts'

/** Deeper folders are somebody's project, not a library of workflows. */
export const libraryDepthMax = 5
/** More files than anybody reads in a list. */
const entriesMax = 2_000

interface Known {
  readonly signature: string
  readonly entry: LibraryEntry | null
}

/** A lister that reads a file again only when its size or time changed. Newest first. */
export function createLibraryList(workspace: string): () => Promise<readonly LibraryEntry[]> {
  let known = new Map<string, Known>()
  return async () => {
    const next = new Map<string, Known>()
    for (const path of await workflowFiles(workspace, libraryDepthMax)) {
      if (next.size >= entriesMax) break
      const found = await look(path, known.get(path))
      if (found !== null) next.set(path, found)
    }
    known = next
    const entries = [...next.values()].flatMap(({ entry }) => (entry === null ? [] : [entry]))
    return entries.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
  }
}

/** The files of a folder and of its folders that may hold workflows, without hidden ones. */
export async function workflowFiles(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth > 0) found.push(...(await workflowFiles(path, depth - 1)))
    else if (entry.isFile() && isWorkflowFileName(entry.name)) found.push(path)
  }
  return found
}

async function look(path: string, before: Known | undefined): Promise<Known | null> {
  try {
    const { mtimeMs, size } = await stat(path)
    const signature = `${mtimeMs}:${size}`
    if (before?.signature === signature) return before
    const modifiedAt = Math.round(mtimeMs)
    const text = size > documentBytesMax ? null : await readFile(path, 'utf8')
    return { signature, entry: describe(path, text, modifiedAt) }
  } catch {
    // Removed between the listing and now: it is not there.
    return null
  }
}

/** The entry of a file; null for JSON that is no workflow, such as the data beside one. */
function describe(path: string, text: string | null, modifiedAt: number): LibraryEntry | null {
  const title = withoutWorkflowEnding(basename(path))
  if (text === null)
    return { path, id: null, title, modifiedAt, problem: 'The file is too large to be a workflow.' }
  const read = readDocument(text)
  if (read.ok) {
    const { document } = read.value
    return { path, id: document.id, title: document.title || title, modifiedAt, problem: null }
  }
  const isOurs = text.includes(documentFormat) || read.error.code === 'document_unreadable'
  return isOurs ? { path, id: null, title, modifiedAt, problem: read.error.message } : null
}
