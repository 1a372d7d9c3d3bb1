/** Which workflow of the library a step means: by its id, or by the path of its file. Pure. */

import { isWorkflowFileName } from '../../src-engine/model/workflow-file.ts'
import type { LibraryEntry } from '../../src-engine/protocol/api.ts'

/** A workflow that can be started. */
export type KnownWorkflow = LibraryEntry & { readonly id: NonNullable<LibraryEntry['id']> }

/** Those that can be started, by title, with the file's name where titles are alike. */
export function knownWorkflows(
  entries: readonly LibraryEntry[],
): readonly (KnownWorkflow & { readonly shown: string })[] {
  const known = entries.filter((entry): entry is KnownWorkflow => entry.id !== null)
  const isAlone = (title: string): boolean => known.filter((one) => one.title === title).length === 1
  return known
    .map((entry) => ({
      ...entry,
      shown: isAlone(entry.title) ? entry.title : `${entry.title} (${entry.path.split(/[\\/]/).at(-1)})`,
    }))
    .toSorted((left, right) => left.shown.localeCompare(right.shown))
}

/** The entry that a reference means; null for one that isn't in the library. `from` is the file that names it. */
export function referencedWorkflow<Entry extends KnownWorkflow>(
  known: readonly Entry[],
  reference: string,
  from: string | null,
): Entry | null {
  const byId = known.find(({ id }) => id === reference)
  if (byId !== undefined) return byId
  if (!isWorkflowFileName(reference)) return null
  const wanted = resolved(reference, from)
  return known.find(({ path }) => partsOf(path).join('/') === wanted) ?? null
}

function resolved(reference: string, from: string | null): string {
  const isAbsolute = /^([\\/]|[A-Za-z]:)/.test(reference)
  const parts = isAbsolute || from === null ? [] : partsOf(from).slice(0, -1)
  for (const part of partsOf(reference)) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

const partsOf = (path: string): string[] => path.split(/[\\/]+/).filter((part) => part !== '')
