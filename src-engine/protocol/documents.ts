/** What a window keeps of the documents that it edits. */

import { z } from 'zod'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import type { JsonChange } from '../model/json-changes.ts'
import type { Instant } from '../model/time.ts'

/** Becomes a file name: nothing in it may have a meaning to the file system. */
const draftId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)

/** The journal of an unsaved document: what a crash must not take. */
export interface DraftEntry {
  readonly id: string
  readonly title: string
  readonly path: string | null
  readonly etag: string | null
  readonly document: JsonObject
  readonly savedAt: Instant
}

/** What a document was at a moment. */
export interface CheckpointEntry {
  readonly id: string
  /** Null: it was saved then. */
  readonly name: string | null
  readonly title: string
  readonly at: Instant
}

export interface DocumentApi {
  /** Keeps a document as it is. Without a name it is that of a save; null when nothing changed since the last. */
  readonly 'checkpoints.save': {
    readonly input: {
      readonly workflowId: string
      readonly name: string | null
      readonly title: string
      readonly document: JsonObject
    }
    readonly output: CheckpointEntry | null
  }
  /** Newest first. */
  readonly 'checkpoints.list': {
    readonly input: { readonly workflowId: string }
    readonly output: readonly CheckpointEntry[]
  }
  readonly 'checkpoints.read': {
    readonly input: { readonly workflowId: string; readonly id: string }
    readonly output: { readonly document: JsonObject }
  }
  readonly 'checkpoints.remove': {
    readonly input: { readonly workflowId: string; readonly id: string }
    readonly output: Record<string, never>
  }
  readonly 'drafts.save': {
    readonly input: Omit<DraftEntry, 'savedAt'>
    /** `revision` names what is kept now, for what is changed in it. */
    readonly output: { readonly savedAt: Instant; readonly revision: string }
  }
  /**
   * Changes a draft's document where it differs from the one of `revision`. When that isn't what is kept, nothing is
   * written and the answer is null: it has to be saved whole.
   */
  readonly 'drafts.change': {
    readonly input: Omit<DraftEntry, 'savedAt' | 'document'> & {
      readonly revision: string
      readonly changes: readonly JsonChange[]
    }
    readonly output: { readonly savedAt: Instant; readonly revision: string } | null
  }
  readonly 'drafts.list': { readonly input: Record<string, never>; readonly output: readonly DraftEntry[] }
  readonly 'drafts.remove': {
    readonly input: { readonly id: string }
    readonly output: Record<string, never>
  }
  /** What a file of the library holds now; null when it is what the etag says. Throws as `library.read` does. */
  readonly 'library.look': {
    readonly input: { readonly path: string; readonly etag: string }
    readonly output: { readonly changed: { readonly document: JsonObject; readonly etag: string } | null }
  }
  /**
   * Adds lines to the undo steps of a draft. `after`: how many are there; with 0 they take the place of all that
   * is there. When another number is there, nothing is written. Gives how many are there afterwards.
   */
  readonly 'undo.append': {
    readonly input: { readonly id: string; readonly after: number; readonly lines: readonly string[] }
    readonly output: { readonly held: number }
  }
  /** The lines of a draft's undo steps; null for one that was damaged. */
  readonly 'undo.read': {
    readonly input: { readonly id: string }
    readonly output: { readonly lines: readonly (string | null)[] }
  }
}

/** Longer than any path that a system has. */
const pathMax = 4_096
/** More lines than a log is written anew with. */
const linesMax = 10_000

/** Longer than any title that a person writes. */
const textMax = 4_096
/** Who changed more saves it whole. */
export const draftChangesMax = 10_000
/** Deeper than any document. */
const depthMax = 100

/** What a draft says beside its document. */
const draftHead = z.object({
  id: draftId,
  title: z.string().max(textMax),
  path: z.string().min(1).max(pathMax).nullable(),
  etag: z.string().min(1).max(pathMax).nullable(),
})
const change = z.object({
  path: z.array(z.string()).max(depthMax),
  value: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
})

const workflowId = z.string().min(1).max(pathMax)
const checkpoint = z.object({ workflowId, id: draftId })
const jsonObject = z.custom<JsonObject>(isJsonObject)

export const documentSchemas = {
  'checkpoints.save': z.object({
    workflowId,
    name: z.string().min(1).max(200).nullable(),
    title: z.string().max(1_000),
    document: jsonObject,
  }),
  'checkpoints.list': z.object({ workflowId }),
  'checkpoints.read': checkpoint,
  'checkpoints.remove': checkpoint,
  'drafts.save': draftHead.extend({ document: jsonObject }),
  'drafts.change': draftHead.extend({
    revision: z.string().min(1).max(200),
    changes: z.array(change).max(draftChangesMax),
  }),
  'drafts.remove': draftHead.pick({ id: true }),
  'library.look': z.object({ path: z.string().min(1).max(pathMax), etag: z.string().max(pathMax) }),
  'undo.append': z.object({
    id: draftId,
    after: z.int().nonnegative(),
    lines: z.array(z.string().regex(/^[^\n]*$/)).max(linesMax),
  }),
  'undo.read': z.object({ id: draftId }),
}
