/** The journal of unsaved documents: one file per draft, replaced whole, so that a crash takes nothing. */

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../model/json.ts'
import { withChanges } from '../model/json-changes.ts'
import { draftsHeldMax } from '../model/limits.ts'
import type { Clock } from '../model/ports.ts'
import type { InputOf, OutputOf } from '../protocol/api.ts'
import type { DraftEntry } from '../protocol/documents.ts'
import { writeForOwner } from './atomic-file.ts'
import { createTurns } from './in-turn.ts'

export interface Drafts {
  readonly save: (draft: InputOf<'drafts.save'>) => Promise<OutputOf<'drafts.save'>>
  /** Null, with nothing written, when what is kept isn't what the changes were made in. */
  readonly change: (change: InputOf<'drafts.change'>) => Promise<OutputOf<'drafts.change'>>
  /** Newest first. */
  readonly list: () => Promise<readonly DraftEntry[]>
  readonly remove: (id: string) => Promise<void>
}

/** A document as it was written last. */
interface Held {
  readonly revision: string
  readonly document: JsonObject
}

/** Drafts in a folder that exists. */
export function createDrafts(folder: string, clock: Clock): Drafts {
  // The protocol lets only letters, digits, - and _ into an id.
  const pathOf = (id: string): string => join(folder, `${id}.json`)
  /** The one that was written last is the last of them. */
  const held = new Map<string, Held>()
  let count = 0
  const inTurn = createTurns()
  const save = async (draft: InputOf<'drafts.save'>): Promise<OutputOf<'drafts.save'>> => {
    const savedAt = clock.now()
    // What the file has is known again once it is written.
    held.delete(draft.id)
    await writeForOwner(pathOf(draft.id), JSON.stringify({ ...draft, savedAt }))
    count += 1
    // An engine that was started anew counts from the beginning, at another moment.
    const revision = `${savedAt}-${count}`
    held.set(draft.id, { revision, document: draft.document })
    for (const id of [...held.keys()].slice(0, -draftsHeldMax)) held.delete(id)
    return { savedAt, revision }
  }
  const change = async (input: InputOf<'drafts.change'>): Promise<OutputOf<'drafts.change'>> => {
    const { revision, changes, ...draft } = input
    const known = held.get(draft.id)
    if (known?.revision !== revision) return null
    const document = changedDocument(known.document, changes)
    return document === null ? null : save({ ...draft, document })
  }
  return {
    save: (draft) => inTurn(() => save(draft)),
    change: (input) => inTurn(() => change(input)),
    list: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      const drafts = await Promise.all(names.map((name) => readDraft(join(folder, name))))
      return drafts.flatMap((draft) => draft ?? []).sort((a, b) => b.savedAt - a.savedAt)
    },
    remove: (id) =>
      inTurn(async () => {
        held.delete(id)
        await rm(pathOf(id), { force: true })
      }),
  }
}

function changedDocument(
  document: JsonObject,
  changes: InputOf<'drafts.change'>['changes'],
): JsonObject | null {
  try {
    return withChanges(document, changes)
  } catch {
    // They were made in something else, whatever it says.
    return null
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
