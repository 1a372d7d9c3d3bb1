/** The dead letters: engine truth, loaded anew whenever an event says that there may be others. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { DeadLetter } from '../../src-engine/model/checkpoint.ts'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'

export interface LettersState {
  /** Newest first. */
  readonly letters: readonly DeadLetter[]
  /** Whether there are more than are loaded. */
  readonly hasMore: boolean
  readonly isLoaded: boolean
  /** Why they could not be loaded; null when they were. */
  readonly error: ErrorRecord | null
  readonly setLetters: (letters: readonly DeadLetter[], hasMore: boolean) => void
  readonly setError: (error: ErrorRecord) => void
}

export type LettersStore = StoreApi<LettersState>

/** No letters known. */
export function createLettersStore(): LettersStore {
  return createStore<LettersState>((set) => ({
    letters: [],
    hasMore: false,
    isLoaded: false,
    error: null,
    setLetters: (letters, hasMore) => {
      const newestFirst = letters.toSorted((left, right) => right.at - left.at)
      set({ letters: newestFirst, hasMore, isLoaded: true, error: null })
    },
    setError: (error) => set({ error }),
  }))
}
