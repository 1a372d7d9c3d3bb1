/** The last rehearsal of a workflow: under way, what came of it, and the cell that is looked at. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { FailureMode, Rehearsal } from '../../src-engine/protocol/rehearsal.ts'

/** Which cell of the matrix. */
export interface CellPlace {
  readonly nodeId: NodeId
  readonly mode: FailureMode
}

export type RehearsalPhase =
  | { readonly status: 'running'; readonly document: WorkflowDocument }
  | { readonly status: 'failed'; readonly document: WorkflowDocument; readonly error: ErrorRecord }
  | { readonly status: 'done'; readonly document: WorkflowDocument; readonly result: Rehearsal }

export interface RehearsalState {
  /** Null while nothing was rehearsed. */
  readonly phase: RehearsalPhase | null
  readonly picked: CellPlace | null
  readonly setPhase: (phase: RehearsalPhase, picked: CellPlace | null) => void
  readonly pick: (place: CellPlace) => void
}

export type RehearsalStore = StoreApi<RehearsalState>

/** Nothing rehearsed yet. */
export function createRehearsalStore(): RehearsalStore {
  return createStore<RehearsalState>((set) => ({
    phase: null,
    picked: null,
    setPhase: (phase, picked) => set({ phase, picked }),
    pick: (picked) => set({ picked }),
  }))
}
