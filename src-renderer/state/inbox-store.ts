/** What waits for a person's decision: engine truth, loaded anew whenever an event says that it may differ. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import type { InboxEntry } from '../../src-engine/protocol/approvals.ts'

export interface InboxState {
  /** Longest waiting first. */
  readonly entries: readonly InboxEntry[]
  readonly hasMore: boolean
  readonly isLoaded: boolean
  /** Why it could not be loaded; null when it was. */
  readonly error: ErrorRecord | null
  readonly setEntries: (entries: readonly InboxEntry[], hasMore: boolean) => void
  readonly setError: (error: ErrorRecord) => void
}

export type InboxStore = StoreApi<InboxState>

/** Nothing known to wait. */
export function createInboxStore(): InboxStore {
  return createStore<InboxState>((set) => ({
    entries: [],
    hasMore: false,
    isLoaded: false,
    error: null,
    setEntries: (entries, hasMore) => set({ entries, hasMore, isLoaded: true, error: null }),
    setError: (error) => set({ error }),
  }))
}
