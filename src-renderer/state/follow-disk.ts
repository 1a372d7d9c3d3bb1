/**
 * What other programs write to the open file is merged with what isn't saved, node by node. Nobody is asked
 * while they edit: what both changed waits behind a line above the canvas.
 */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { documentAt } from '../commands/history.ts'
import { takeDocument } from '../commands/take-code.ts'
import type { Side } from '../merge/merge-documents.ts'
import { mergeDocuments } from '../merge/merge-documents.ts'
import { diskWords as words } from '../text/disk-words.ts'
import { fill } from '../text/messages.ts'
import type { Designer } from './designer.ts'
import type { DraftState, OpenFile } from './document-store.ts'
import { isDirty, lastStep } from './document-store.ts'
import { lookAtFile } from './read-files.ts'

/** Often enough to be there before the next edit, seldom enough not to be noticed. */
const lookDelayMs = 3_000

/** Looks at the open file from time to time, and whenever a document comes to the front. */
export function startDisk(designer: Designer): () => void {
  let cancel = (): void => undefined
  let isStopped = false
  const look = (): void => {
    cancel()
    void lookAtDisk(designer).finally(() => {
      if (!isStopped) cancel = designer.ambient.after(lookDelayMs, look)
    })
  }
  const stop = designer.document.subscribe((state, before) => {
    if (state.generation !== before.generation) look()
  })
  look()
  return () => {
    isStopped = true
    cancel()
    stop()
  }
}

/** Looks once, and takes what can be taken. */
export async function lookAtDisk(designer: Designer): Promise<void> {
  const before = designer.document.getState()
  const { isOpen, path, etag, draftId } = before
  if (!isOpen || path === null || etag === null) return
  try {
    const file = await lookAtFile(designer, { path, etag: before.disk?.etag ?? etag })
    const now = designer.document.getState()
    // Another document, or another look or a save was quicker.
    if (file === null || now.draftId !== draftId || now.etag !== etag || now.disk !== before.disk) return
    takeFromDisk(designer, file)
  } catch {
    // Gone, unreadable or half written: what is open is not touched by it, and saving tells.
  }
}

/** Takes what another program wrote, unless both changed the same: then that waits for an answer. */
export function takeFromDisk(designer: Designer, file: OpenFile): void {
  const state = designer.document.getState()
  const { title } = state.history.document
  const { conflicts, taken } = mergeDocuments(versionsOf(state, file))
  if (conflicts.length > 0) return state.setDisk(file)
  applyMerge(designer, file)
  // A file that says the same in other letters is no news.
  if (taken === 0) return
  designer.view.getState().toast({
    tone: 'neutral',
    message: fill(words.taken, { title }),
    hint: taken === 1 ? words.oneTaken : fill(words.manyTaken, { count: taken }),
    action: { label: words.undo, run: () => undoMerge(designer) },
  })
}

/** The three versions of a merge. */
export function versionsOf(state: DraftState, { document: theirs }: OpenFile) {
  return { base: savedDocument(state), mine: state.history.document, theirs }
}

/** What the file held when it was last read or written; null when nobody knows. */
function savedDocument({ history, savedStep }: DraftState): WorkflowDocument | null {
  return savedStep === 'never' ? null : documentAt(history, savedStep)
}

/**
 * Puts the merge in place. First the file, then what isn't saved on top: so undoing once gives the file, and
 * undoing twice what was there before.
 */
export function applyMerge(designer: Designer, file: OpenFile, choices?: ReadonlyMap<string, Side>): void {
  const { path, etag, document } = file
  const before = designer.document.getState()
  if (path === null || etag === null) return
  const merged = mergeDocuments(versionsOf(before, file), choices)
  const { edit, saved } = before
  // Not its owner's writing: what reaches further by it is asked about.
  designer.trust.getState().doubt()
  before.endGesture()
  edit(takeDocument(words.fileStep, document))
  saved({ path, etag }, lastStep(designer.document.getState()))
  if (isDirty(before)) edit(takeDocument(words.mineStep, merged.document))
  designer.document.getState().endGesture()
}

function undoMerge({ document }: Designer): void {
  const { past } = document.getState().history
  const steps = past.at(-1)?.label === words.mineStep ? 2 : past.at(-1)?.label === words.fileStep ? 1 : 0
  for (let count = 0; count < steps; count += 1) document.getState().undo()
}
