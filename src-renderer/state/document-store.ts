/** The open document: its op log, its file, and whether the two agree. Changes only through edits. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { Problem } from '../../src-engine/model/problem.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Edit, Step } from '../commands/edit.ts'
import type { History } from '../commands/history.ts'
import { closeGesture, perform, redo, startHistory, undo } from '../commands/history.ts'

/** The last step that the file has: `null` for the document as it was opened, `never` for no file yet. */
export type SavedStep = Step | null | 'never'

/** A document and where it came from. */
export interface OpenFile {
  readonly document: WorkflowDocument
  readonly path: string | null
  readonly etag: string | null
}

/** A document with its op log: all that the journal keeps of it. */
export interface DraftState {
  readonly history: History
  readonly path: string | null
  readonly etag: string | null
  readonly savedStep: SavedStep
  /** Names the draft in the journal. */
  readonly draftId: string
}

export interface DocumentState extends DraftState {
  /** False while the start page is shown. */
  readonly isOpen: boolean
  /** Grows whenever another document is opened: views start afresh. */
  readonly generation: number
  readonly problems: readonly Problem[]
  /** What another program wrote to the file, where it can't be taken without asking. */
  readonly disk: OpenFile | null
  readonly open: (file: OpenFile, options: { readonly draftId: string; readonly isSaved: boolean }) => void
  /** What the journal gave back, or what another tab held. */
  readonly restore: (state: DraftState) => void
  readonly close: () => void
  readonly edit: (edit: Edit) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly endGesture: () => void
  /** Notes what the file has now; `at` is the step it was written at. */
  readonly saved: (file: { readonly path: string; readonly etag: string }, at: Step | null) => void
  readonly setDisk: (disk: OpenFile | null) => void
  readonly setProblems: (problems: readonly Problem[]) => void
}

export type DocumentStore = StoreApi<DocumentState>

/** A store without an open document. */
export function createDocumentStore(blank: WorkflowDocument): DocumentStore {
  return createStore<DocumentState>((set, get) => ({
    isOpen: false,
    history: startHistory(blank),
    path: null,
    etag: null,
    savedStep: null,
    draftId: '',
    generation: 0,
    problems: [],
    disk: null,
    open: ({ document, path, etag }, { draftId, isSaved }) =>
      set({
        isOpen: true,
        history: startHistory(document),
        path,
        etag,
        draftId,
        savedStep: isSaved ? null : 'never',
        problems: [],
        disk: null,
        generation: get().generation + 1,
      }),
    restore: (draft) =>
      set({ ...draft, isOpen: true, problems: [], disk: null, generation: get().generation + 1 }),
    close: () =>
      set({
        draftId: '',
        isOpen: false,
        history: startHistory(blank),
        path: null,
        etag: null,
        savedStep: null,
      }),
    edit: (edit) => set({ history: perform(get().history, edit) }),
    undo: () => set({ history: undo(get().history) }),
    redo: () => set({ history: redo(get().history) }),
    endGesture: () => set({ history: closeGesture(get().history) }),
    saved: ({ path, etag }, at) =>
      set({ path, etag, savedStep: at, disk: null, history: closeGesture(get().history) }),
    setDisk: (disk) => set({ disk }),
    setProblems: (problems) => set({ problems }),
  }))
}

/** The part of it that another tab holds on to. */
export function draftStateOf({ history, path, etag, savedStep, draftId }: DocumentState): DraftState {
  return { history: closeGesture(history), path, etag, savedStep, draftId }
}

/** Whether the document differs from its file: undoing back to what was saved makes it clean again. */
export function isDirty(state: DraftState): boolean {
  return lastStep(state) !== state.savedStep
}

/** The step that led to the document as it is. */
export function lastStep({ history }: Pick<DraftState, 'history'>): Step | null {
  return history.past.at(-1) ?? null
}
