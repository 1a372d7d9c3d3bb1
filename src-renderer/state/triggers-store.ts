/** What the engine says about the triggers of the shown workflow: which are published, what they did last. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { WorkflowId } from '../../src-engine/model/ids.ts'
import type { TriggerView } from '../../src-engine/protocol/trigger-views.ts'

export interface TriggersState {
  /** Whose triggers these are; null while nothing is shown. */
  readonly workflowId: WorkflowId | null
  /** By id, as they were published; null until the engine has said. */
  readonly views: ReadonlyMap<string, TriggerView> | null
  /** Whether the open document is the version that they start; null while nobody knows, or none is published. */
  readonly isAsPublished: boolean | null
  /** The steps of the open document that are not as they were published; none while that isn't known. */
  readonly changed: ReadonlySet<string>
  /** The one that a person wants to fire, while they are asked what with. */
  readonly toFire: string | null
  /** Whether the choice of kinds to add is open. */
  readonly isAdding: boolean
  /** Grows with each wish to look again at once. */
  readonly wishes: number
  readonly setViews: (workflowId: WorkflowId, views: readonly TriggerView[]) => void
  readonly setAsPublished: (isAsPublished: boolean | null, changed?: ReadonlySet<string>) => void
  readonly setToFire: (triggerId: string | null) => void
  readonly setAdding: (isAdding: boolean) => void
  /** Nothing is known of another workflow's. */
  readonly begin: (workflowId: WorkflowId | null) => void
  readonly lookAgain: () => void
}

export type TriggersStore = StoreApi<TriggersState>

const nothing: ReadonlySet<string> = new Set()

/** Nothing asked yet. */
export function createTriggersStore(): TriggersStore {
  return createStore<TriggersState>((set, get) => ({
    workflowId: null,
    views: null,
    isAsPublished: null,
    changed: nothing,
    toFire: null,
    isAdding: false,
    wishes: 0,
    setViews: (workflowId, views) => {
      // The same answer as before draws nothing again.
      const { views: before } = get()
      if (before !== null && JSON.stringify([...before.values()]) === JSON.stringify(views)) return
      set({ workflowId, views: new Map(views.map((view) => [view.triggerId, view])) })
    },
    setAsPublished: (isAsPublished, changed = nothing) => set({ isAsPublished, changed }),
    setToFire: (toFire) => set({ toFire }),
    setAdding: (isAdding) => set({ isAdding }),
    begin: (workflowId) =>
      set({ workflowId, views: null, isAsPublished: null, changed: nothing, isAdding: false }),
    lookAgain: () => set({ wishes: get().wishes + 1 }),
  }))
}
