/** Values derived from several stores: what the canvas shows and what may be done with it. */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { useDocument, useRuns, useView } from './context.ts'
import type { Designer } from './designer.ts'
import { isFreshTrigger } from './fresh.ts'
import type { NodeRun } from './run-model.ts'
import { nodesAt } from './run-model.ts'
import { shownModel, shownUntil } from './runs-store.ts'
import { chosenPath } from './turns.ts'

/** The document on the canvas: a run's own version while one is looked at, else the open one. */
export function shownDocument(designer: Designer): WorkflowDocument {
  return designer.runs.getState().current?.overlay ?? designer.document.getState().history.document
}

/** Whether the canvas shows something that can't be edited. */
export function isReadOnly(designer: Designer): boolean {
  const { current } = designer.runs.getState()
  return current !== null && current.overlay !== null
}

/** Whether the open document can be edited now: it is on the canvas, and nothing stands in front of it. */
export function canEdit(designer: Designer): boolean {
  const { isOpen } = designer.document.getState()
  return isOpen && !isReadOnly(designer) && designer.view.getState().enginePage === null
}

/** The document on the canvas, followed. */
export function useShownDocument(): WorkflowDocument
/** A part of it, followed. */
export function useShownDocument<T>(select: (document: WorkflowDocument) => T): T
export function useShownDocument<T>(select?: (document: WorkflowDocument) => T): T | WorkflowDocument {
  const overlay = useRuns((state) => state.current?.overlay ?? null)
  return useDocument(({ history }) => {
    const shown = overlay ?? history.document
    return select === undefined ? shown : select(shown)
  })
}

/** Whether editing is off, followed. */
export function useReadOnly(): boolean {
  return useRuns((state) => state.current !== null && state.current.overlay !== null)
}

/** Whether a trigger was just added and nothing was done with it yet, followed. */
export function useFreshTrigger(id: string): boolean {
  const freshTrigger = useView((state) => state.freshTrigger)
  const trigger = useDocument(({ history }) => history.document.triggers?.[id])
  return isFreshTrigger({ freshTrigger }, id, trigger)
}

/** The moment of the shown run that is looked at; endless while that is now, and without a run. */
export const useShownUntil = (): number =>
  useRuns(({ current }) => (current === null ? Number.POSITIVE_INFINITY : shownUntil(current)))

/** What the shown run says about a node; null when it says nothing. */
export function useNodeRun(id: string): NodeRun | null {
  const turns = useView((state) => state.turns)
  return useRuns(({ current }) =>
    current === null ? null : (nodesAt(shownModel(current), turns).get(id) ?? null),
  )
}

/** The place of a node's shown data inside of maps and loops: `each:3/while:0`; empty outside of them. */
export function useNodePlace(id: string): string {
  const turns = useView((state) => state.turns)
  return useRuns(({ current }) => {
    if (current === null) return ''
    const { nodes, strips } = shownModel(current)
    return chosenPath(nodes.get(id)?.invocation?.path ?? '', turns, strips)
  })
}
