/** What a person looks at among the records of triggers: which trigger, which outcome, which record. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { WorkflowId } from '../../src-engine/model/ids.ts'
import type { FiringRecord } from '../../src-engine/model/trigger.ts'

export interface RecordsState {
  readonly about: 'firings' | 'events'
  /** Null for those of all workflows. */
  readonly workflowId: WorkflowId | null
  /** Null for all of the workflow. */
  readonly triggerId: string | null
  readonly outcome: 'all' | 'started' | 'skipped'
  readonly firingId: string | null
  readonly eventId: string | null
  /** A record that somebody was led to, which the list may not reach. */
  readonly led: FiringRecord | null
  readonly look: (changes: Partial<Omit<RecordsState, 'look'>>) => void
}

export type RecordsStore = StoreApi<RecordsState>

/** Everything, newest first. */
export function createRecordsStore(): RecordsStore {
  return createStore<RecordsState>((set) => ({
    about: 'firings',
    workflowId: null,
    triggerId: null,
    outcome: 'all',
    firingId: null,
    eventId: null,
    led: null,
    look: (changes) => set(changes),
  }))
}
