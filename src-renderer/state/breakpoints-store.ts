/** Where runs are to stop: by workflow and node, kept in the page's memory and never in a document. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { NodeId, WorkflowId } from '../../src-engine/model/ids.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import type { Memory } from './services.ts'

/** Set, and perhaps only under a condition. */
export interface NodeBreakpoint {
  /** JSONata; null for always. */
  readonly condition: string | null
  /** Only the n-th time; absent for each time. */
  readonly nth?: number
}

type OfWorkflow = Readonly<Record<NodeId, NodeBreakpoint>>

export interface BreakpointsState {
  readonly byWorkflow: Readonly<Record<WorkflowId, OfWorkflow>>
  /** The node whose breakpoint the dialog is about; null while there is none. */
  readonly asked: NodeId | null
  readonly put: (of: WorkflowId, breakpoints: OfWorkflow) => void
  readonly ask: (nodeId: NodeId | null) => void
}

export type BreakpointsStore = StoreApi<BreakpointsState>

const key = 'sagasmith.breakpoints'
/** Of so many workflows they are kept, the newest ones. */
const workflowsMax = 50

/** Those that were left here. */
export function createBreakpointsStore(memory: Memory): BreakpointsStore {
  const store = createStore<BreakpointsState>((set, get) => ({
    byWorkflow: read(memory),
    asked: null,
    put: (of, breakpoints) => {
      const { [of]: before, ...others } = get().byWorkflow
      const isEmpty = Object.keys(breakpoints).length === 0
      const kept = Object.entries(others).slice(before === undefined ? 1 - workflowsMax : 0)
      set({ byWorkflow: { ...Object.fromEntries(kept), ...(isEmpty ? {} : { [of]: breakpoints }) } })
    },
    ask: (asked) => set({ asked }),
  }))
  store.subscribe((state, before) => {
    if (state.byWorkflow !== before.byWorkflow) memory.write(key, JSON.stringify(state.byWorkflow))
  })
  return store
}

/** What is missing or broken is left out. */
function read(memory: Memory): BreakpointsState['byWorkflow'] {
  let parsed: unknown
  try {
    parsed = JSON.parse(memory.read(key) ?? '{}')
  } catch {
    // Somebody else's text under our key: start with none.
    return {}
  }
  if (!isJsonObject(parsed)) return {}
  const entries = Object.entries(parsed).flatMap(([of, nodes]) => {
    if (!isJsonObject(nodes)) return []
    const known = Object.entries(nodes).flatMap(([id, point]) => {
      if (!isJsonObject(point)) return []
      const { condition, nth } = point
      const times = typeof nth === 'number' && Number.isInteger(nth) && nth >= 1 ? { nth } : {}
      return [[id, { condition: typeof condition === 'string' ? condition : null, ...times }] as const]
    })
    return [[of, Object.fromEntries(known)] as const]
  })
  return Object.fromEntries(entries)
}
