/** How to find the workflows that steps of the open one start: engine truth, loaded while they are named. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { FindStarted } from '../../src-engine/model/saga-coverage.ts'

export interface StartedState {
  readonly find: FindStarted
}

export type StartedStore = StoreApi<StartedState>

/** Nothing at hand. */
export const createStartedStore = (): StartedStore => createStore<StartedState>(() => ({ find: () => null }))
