/** How much of a rollback is shown: quick ones are shown slower than they were, so that eyes can follow. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { RunId } from '../../src-engine/model/ids.ts'

export interface RewindState {
  /** The run that it is about; null while none is shown. */
  readonly runId: RunId | null
  /** Steps of its way back that are shown. */
  readonly revealed: number
  /** Whether its end card was put away. */
  readonly isCardClosed: boolean
  readonly begin: (runId: RunId | null) => void
  readonly reveal: (revealed: number) => void
  readonly closeCard: () => void
}

export type RewindStore = StoreApi<RewindState>

/** Nothing goes back. */
export function createRewindStore(): RewindStore {
  return createStore<RewindState>((set) => ({
    runId: null,
    revealed: 0,
    isCardClosed: false,
    begin: (runId) => set({ runId, revealed: 0, isCardClosed: false }),
    reveal: (revealed) => set({ revealed }),
    closeCard: () => set({ isCardClosed: true }),
  }))
}
