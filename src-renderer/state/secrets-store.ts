/** What the vault keeps, without values: for the secrets page, the pickers in forms, and validation. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { SecretsView } from '../../src-engine/protocol/secrets.ts'

export interface SecretsState {
  /** Null until the engine has told. */
  readonly view: SecretsView | null
  readonly setView: (view: SecretsView) => void
  /** What the page looks for. */
  readonly filter: string
  readonly setFilter: (filter: string) => void
  /** Whether somebody asked the page to add a secret. */
  readonly isAdding: boolean
  readonly setAdding: (isAdding: boolean) => void
}

export type SecretsStore = StoreApi<SecretsState>

/** Nothing known yet. */
export function createSecretsStore(): SecretsStore {
  return createStore<SecretsState>((set) => ({
    view: null,
    setView: (view) => set({ view }),
    filter: '',
    setFilter: (filter) => set({ filter }),
    isAdding: false,
    setAdding: (isAdding) => set({ isAdding }),
  }))
}
