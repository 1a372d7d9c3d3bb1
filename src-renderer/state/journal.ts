/**
 * The draft journal: every edit reaches the engine's disk within a moment, undo steps included, so that a
 * crash or a reload takes nothing. A draft goes away when its document is saved.
 */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import type { DraftEntry } from '../../src-engine/protocol/api.ts'
import type { Step } from '../commands/edit.ts'
import { asDocument } from './blank-document.ts'
import type { Designer } from './designer.ts'
import type { DocumentState, RestoredDraft, SavedStep } from './document-store.ts'
import { isDirty } from './document-store.ts'

/** An edit waits this long for the next one before it is written. */
const journalDelayMs = 300
/** Undo steps that the journal keeps. */
const journalStepsMax = 200
const draftFormat = 'sagasmith.draft'

/** Starts journaling; returns the way to stop. */
export function startJournal(designer: Designer): () => void {
  let cancel = (): void => undefined
  const stop = designer.document.subscribe((state, before) => {
    if (!state.isOpen) return
    if (state.history.document === before.history.document && state.savedStep === before.savedStep) return
    cancel()
    cancel = designer.ambient.after(journalDelayMs, () => void writeDraft(designer))
  })
  return () => {
    cancel()
    stop()
  }
}

/** Writes the draft now, or removes it when the file has everything. */
export async function writeDraft(designer: Designer): Promise<void> {
  const state = designer.document.getState()
  if (!state.isOpen) return
  try {
    if (isDirty(state)) await designer.connection.call('drafts.save', draftOf(state))
    else await designer.connection.call('drafts.remove', { id: state.draftId })
  } catch {
    // The engine is away: the next edit writes the whole draft again, and its line says so meanwhile.
  }
}

/** The draft as the engine keeps it. */
export function draftOf(state: DocumentState): Omit<DraftEntry, 'savedAt'> {
  const { past, future, document } = state.history
  const kept = past.slice(-journalStepsMax)
  const savedAt = state.savedStep === 'never' ? 'never' : savedIndex(kept, state.savedStep, past.length)
  // Documents and Immer patches are JSON data.
  const journal = {
    format: draftFormat,
    document,
    past: kept,
    future,
    saved: savedAt,
  } as unknown as JsonObject
  return { id: state.draftId, title: document.title, path: state.path, etag: state.etag, document: journal }
}

/** The state that a draft was written from; a bare document comes without undo steps. */
export function restoredDraft(entry: DraftEntry): RestoredDraft {
  const { document: json, path, etag, id } = entry
  const shared = { path, etag, draftId: id }
  const inner = json['document']
  if (json['format'] !== draftFormat || !isJsonObject(inner)) {
    const history = { document: asDocument(json), past: [], future: [], open: false }
    return { ...shared, history, savedStep: 'never' }
  }
  const past = stepsOf(json['past'])
  const history = { document: asDocument(inner), past, future: stepsOf(json['future']), open: false }
  return { ...shared, history, savedStep: savedStepAt(past, json['saved']) }
}

/** How many of the kept steps the file has; -1 when that step is not among them. */
function savedIndex(kept: readonly Step[], saved: Step | null, total: number): number {
  if (saved === null) return total === kept.length ? 0 : -1
  const index = kept.indexOf(saved)
  return index === -1 ? -1 : index + 1
}

function savedStepAt(past: readonly Step[], saved: unknown): SavedStep {
  if (typeof saved !== 'number' || saved < 0) return 'never'
  return saved === 0 ? null : (past[saved - 1] ?? 'never')
}

function stepsOf(json: unknown): readonly Step[] {
  // Written by this file; anything else is no history.
  return Array.isArray(json) ? (json as readonly Step[]) : []
}
