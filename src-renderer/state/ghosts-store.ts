/** What the last runs of the open workflow did, while somebody wants to see it. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { GhostNode, Ghosts, GhostWay } from '../../src-engine/model/ghosts.ts'
import type { WorkflowId } from '../../src-engine/model/ids.ts'

export interface GhostsState {
  readonly isShown: boolean
  /** The workflow that the answer is about; null before the first. */
  readonly of: WorkflowId | null
  readonly ghosts: Ghosts | null
  readonly byNode: ReadonlyMap<string, GhostNode>
  /** The ways out of each node: every edge asks for its own. */
  readonly waysByNode: ReadonlyMap<string, readonly GhostWay[]>
  readonly setShown: (isShown: boolean) => void
  readonly setGhosts: (of: WorkflowId, ghosts: Ghosts) => void
}

export type GhostsStore = StoreApi<GhostsState>

const none: Pick<GhostsState, 'of' | 'ghosts' | 'byNode' | 'waysByNode'> = {
  of: null,
  ghosts: null,
  byNode: new Map(),
  waysByNode: new Map(),
}

/** Not shown. */
export function createGhostsStore(): GhostsStore {
  return createStore<GhostsState>((set) => ({
    isShown: false,
    ...none,
    // What is shown again later is asked for anew.
    setShown: (isShown) => set({ isShown, ...none }),
    setGhosts: (of, ghosts) =>
      set({
        of,
        ghosts,
        byNode: new Map(ghosts.nodes.map((node) => [node.nodeId, node])),
        waysByNode: Map.groupBy(ghosts.ways, (way) => way.nodeId),
      }),
  }))
}
