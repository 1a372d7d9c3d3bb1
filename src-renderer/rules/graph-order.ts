/** The steps of a workflow as a list: each after what leads to it, bodies right after their map or loop. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { parentOf } from './bodies.ts'

export interface GraphRow {
  readonly id: NodeId
  /** 1 on the canvas itself, one more in each body. */
  readonly level: number
  /** What leads to it, and what it leads to, in the order of the list. */
  readonly before: readonly NodeId[]
  readonly after: readonly NodeId[]
}

type Graph = Pick<WorkflowDocument, 'nodes' | 'edges' | 'layout'>

/** One row per node. */
export function graphRows(document: Graph): readonly GraphRow[] {
  const byParent = Map.groupBy(Object.keys(document.nodes).map(nodeId), (id) => parentOf(document, id))
  const { before, after } = neighboursOf(document)
  const rows: { readonly id: NodeId; readonly level: number }[] = []
  const walk = (parent: NodeId | null, level: number): void => {
    for (const id of ordered(byParent.get(parent) ?? [], { document, before, after })) {
      rows.push({ id, level })
      walk(id, level + 1)
    }
  }
  walk(null, 1)
  const place = new Map(rows.map(({ id }, index) => [id, index]))
  const inOrder = (ids: readonly NodeId[] = []): readonly NodeId[] =>
    ids.toSorted((left, right) => (place.get(left) ?? 0) - (place.get(right) ?? 0))
  return rows.map(({ id, level }) => ({
    id,
    level,
    before: inOrder(before.get(id)),
    after: inOrder(after.get(id)),
  }))
}

type Neighbours = ReadonlyMap<NodeId, readonly NodeId[]>

function neighboursOf({ nodes, edges }: Graph): { readonly before: Neighbours; readonly after: Neighbours } {
  const before = new Map<NodeId, NodeId[]>()
  const after = new Map<NodeId, NodeId[]>()
  const add = (map: Map<NodeId, NodeId[]>, key: NodeId, value: NodeId): void => {
    const known = map.get(key)
    if (known === undefined) map.set(key, [value])
    else if (!known.includes(value)) known.push(value)
  }
  for (const { from, to } of Object.values(edges)) {
    if (nodes[from.node] === undefined || nodes[to.node] === undefined) continue
    add(before, to.node, from.node)
    add(after, from.node, to.node)
  }
  return { before, after }
}

/** Each after all that lead to it; among those that may come next, as they stand on the canvas. */
function ordered(
  ids: readonly NodeId[],
  graph: { readonly document: Graph; readonly before: Neighbours; readonly after: Neighbours },
): readonly NodeId[] {
  const known = new Set(ids)
  const places = graph.document.layout?.nodes ?? {}
  const rank = (id: NodeId): number => (places[id]?.x ?? 0) + (places[id]?.y ?? 0) / 10_000
  const missing = new Map(
    ids.map((id) => [id, (graph.before.get(id) ?? []).filter((one) => known.has(one)).length]),
  )
  const ready = ids.filter((id) => missing.get(id) === 0).toSorted((left, right) => rank(left) - rank(right))
  const found: NodeId[] = []
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    found.push(next)
    for (const one of graph.after.get(next) ?? []) {
      const left = (missing.get(one) ?? 0) - 1
      missing.set(one, left)
      if (left !== 0) continue
      const at = ready.findIndex((other) => rank(other) > rank(one))
      ready.splice(at === -1 ? ready.length : at, 0, one)
    }
  }
  // A document from elsewhere may have a circle: what is in it comes at the end.
  return [...found, ...ids.filter((id) => !found.includes(id))]
}
