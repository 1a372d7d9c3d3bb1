/** Whether the document in front may be run here, as the engine said last, and which other tabs may not. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { DocumentStanding } from '../../src-engine/model/document-trust.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'

export interface TrustState {
  /** Null until the engine said it of this document. */
  readonly standing: DocumentStanding | null
  /** What it was said of. */
  readonly checked: WorkflowDocument | null
  /** Whether what changes next is its owner's doing: who widens a trusted document by hand trusts it. */
  readonly isOwn: boolean
  /** Drafts that were restricted when they were last in front. */
  readonly restricted: ReadonlySet<string>
  /** Another document is in front. */
  readonly begin: () => void
  /** Something came in that its owner didn't write. */
  readonly doubt: () => void
  readonly told: (draftId: string, document: WorkflowDocument, standing: DocumentStanding) => void
}

export type TrustStore = StoreApi<TrustState>

/** Nothing known yet. */
export function createTrustStore(): TrustStore {
  return createStore<TrustState>((set, get) => ({
    standing: null,
    checked: null,
    isOwn: false,
    restricted: new Set(),
    begin: () => set({ standing: null, checked: null, isOwn: false }),
    doubt: () => set({ isOwn: false }),
    told: (draftId, checked, standing) => {
      const isOwn = standing.status === 'trusted'
      const others = [...get().restricted].filter((id) => id !== draftId)
      set({ standing, checked, isOwn, restricted: new Set(isOwn ? others : [...others, draftId]) })
    },
  }))
}

/** Whether the document in front is known to be restricted. */
export const isRestricted = ({ standing }: Pick<TrustState, 'standing'>): boolean =>
  standing?.status === 'restricted'
