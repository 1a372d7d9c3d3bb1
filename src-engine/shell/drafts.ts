/** The journal of unsaved documents: one file per draft, replaced whole, so that a crash takes nothing. */

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../model/ports.ts'
import type { Instant } from '../model/time.ts'
import type { InputOf } from '../protocol/api.ts'
import type { DraftEntry } from '../protocol/documents.ts'
import { writeForOwner } from './atomic-file.ts'

export interface Drafts {
  readonly save: (draft: InputOf<'drafts.save'>) => Promise<Instant>
  /** Newest first. */
  readonly list: () => Promise<readonly DraftEntry[]>
  readonly remove: (id: string) => Promise<void>
}

/** Drafts in a folder that exists. */
export function createDrafts(folder: string, clock: Clock): Drafts {
  // The protocol lets only letters, digits, - and _ into an id.
  const pathOf = (id: string): string => join(folder, `${id}.json`)
  return {
    save: async (draft) => {
      const savedAt = clock.now()
      await writeForOwner(pathOf(draft.id), JSON.stringify({ ...draft, savedAt }))
      return savedAt
    },
    list: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      const drafts = await Promise.all(names.map((name) => readDraft(join(folder, name))))
      return drafts.flatMap((draft) => draft ?? []).sort((a, b) => b.savedAt - a.savedAt)
    },
    remove: (id) => rm(pathOf(id), { force: true }),
  }
}

async function readDraft(path: string): Promise<DraftEntry | null> {
  try {
    // Written whole by this file; anything else in the folder is not a draft.
    const draft = JSON.parse(await readFile(path, 'utf8')) as DraftEntry
    return typeof draft.id === 'string' && typeof draft.savedAt === 'number' ? draft : null
  } catch {
    // Removed meanwhile, or a foreign file: neither is a draft that can be offered.
    return null
  }
}
