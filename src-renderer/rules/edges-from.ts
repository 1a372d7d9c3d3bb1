/** The edges of a workflow by the step that they lead from. An edit looks at those alone that it changes. Pure. */

import type { WorkflowDocument, WorkflowEdge } from '../../src-engine/model/workflow.ts'
import { sameEnds } from '../commands/new-ids.ts'
import { changesOf } from './changes.ts'
import { foundAlong } from './found-once.ts'
import { LayeredMap } from './layered-map.ts'

type Edges = WorkflowDocument['edges']
type ById = Readonly<Record<string, WorkflowEdge>>

/** Their ids by step, each list in the order of the document. */
export type EdgesFrom = LayeredMap<string, readonly string[]>

export const edgesFrom: (edges: Edges) => EdgesFrom = foundAlong<Edges, EdgesFrom>(
  (edges) => {
    const found = new Map<string, string[]>()
    for (const [id, { from }] of Object.entries(edges)) {
      const known = found.get(from.node)
      if (known === undefined) found.set(from.node, [id])
      else known.push(id)
    }
    return new LayeredMap<string, readonly string[]>(found)
  },
  (found, before, now) => {
    const { put, gone, isInOrder } = changesOf(before, now)
    if (!isInOrder) return null
    const changed = new Map<string, readonly string[]>()
    const idsOf = (step: string): readonly string[] => changed.get(step) ?? found.get(step) ?? []
    for (const id of gone) {
      const step = fromOf(before, id)
      changed.set(
        step,
        idsOf(step).filter((one) => one !== id),
      )
    }
    for (const id of put) {
      const step = fromOf(now, id)
      if (Object.hasOwn(before, id)) {
        // Where it stands among the edges of another step isn't known.
        if (fromOf(before, id) !== step) return null
        continue
      }
      changed.set(step, [...idsOf(step), id])
    }
    return found.with([...changed].map(([step, ids]) => [step, ids.length === 0 ? undefined : ids]))
  },
)

/** The step that an edge leads from; empty for none. */
export const fromOf = (edges: ById, id: string): string => edges[id]?.from.node ?? ''

/** The id of an edge between the same ports; null for none. */
export function edgeBetween(
  edges: Edges,
  ends: Pick<WorkflowEdge, 'from' | 'to'>,
  but: string | null = null,
): string | null {
  const byId: ById = edges
  const ids = edgesFrom(edges).get(ends.from.node) ?? []
  const isSame = (id: string): boolean => {
    const known = byId[id]
    return id !== but && known !== undefined && sameEnds(known, ends)
  }
  return ids.find(isSame) ?? null
}
