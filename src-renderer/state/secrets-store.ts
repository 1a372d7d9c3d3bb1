/** What the vault keeps, without values: for the secrets page, the pickers in forms, and validation. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { SecretsView } from '../../src-engine/protocol/secrets.ts'

export interface SecretsState {
  /** Null until the engine has told. */
  readonly view: SecretsView | null
  readonly setView: (view: SecretsView) => void
}

export type SecretsStore = StoreApi<SecretsState>

/** Nothing known yet. */
export function createSecretsStore(): SecretsStore {
  return createStore<SecretsState>((set) => ({
    view: null,
    setView: (view) => set({ view }),
  }))
}
