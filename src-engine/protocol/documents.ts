/** What a window keeps of the documents that it edits. */

import { z } from 'zod'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import type { Instant } from '../model/time.ts'

/** Becomes a file name: nothing in it may have a meaning to the file system. */
export const draftId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)

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
    readonly output: { readonly savedAt: Instant }
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
  'library.look': z.object({ path: z.string().min(1).max(pathMax), etag: z.string().max(pathMax) }),
  'undo.append': z.object({
    id: draftId,
    after: z.int().nonnegative(),
    lines: z.array(z.string().regex(/^[^\n]*$/)).max(linesMax),
  }),
  'undo.read': z.object({ id: draftId }),
}
