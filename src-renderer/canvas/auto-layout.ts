/** Tidy layout: layers from left to right. Loaded when it is first asked for. */

import dagre from '@dagrejs/dagre'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import { cardSize, gridStep, placeOf, portsOf, stateHeight } from './geometry.ts'

const layerGap = 72
const rowGap = 32

/** New places for all nodes, or for some of them around where they are. On the grid, top left kept. */
export function tidyPlaces(
  document: WorkflowDocument,
  options: { readonly specs: SpecsByKind; readonly only: readonly NodeId[] | null },
): Readonly<Record<string, Point>> {
  const ids = options.only ?? (Object.keys(document.nodes) as NodeId[])
  const chosen = new Set<string>(ids)
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', ranksep: layerGap, nodesep: rowGap, marginx: 0, marginy: 0 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const id of ids) {
    const node = document.nodes[id]
    if (node === undefined) continue
    const size = cardSize(portsOf(node, options.specs.get(node.kind)).length)
    graph.setNode(id, { width: size.width, height: size.height + stateHeight })
  }
  for (const [key, { from, to }] of Object.entries(document.edges)) {
    if (chosen.has(from.node) && chosen.has(to.node)) graph.setEdge(from.node, to.node, {}, key)
  }
  dagre.layout(graph)
  const corners = new Map<string, Point>()
  for (const id of graph.nodes()) {
    const { x, y, width, height } = graph.node(id) as { x: number; y: number; width: number; height: number }
    corners.set(id, { x: x - width / 2, y: y - height / 2 })
  }
  return anchored(document, corners)
}

/** Moves the layout so that its top left corner is where it was. */
function anchored(
  document: WorkflowDocument,
  corners: ReadonlyMap<string, Point>,
): Readonly<Record<string, Point>> {
  const before = [...corners.keys()].map((id) => placeOf(document, id))
  const after = [...corners.values()]
  const left = Math.min(...before.map(({ x }) => x)) - Math.min(...after.map(({ x }) => x))
  const top = Math.min(...before.map(({ y }) => y)) - Math.min(...after.map(({ y }) => y))
  const onGrid = (value: number): number => Math.round(value / gridStep) * gridStep
  return Object.fromEntries(
    [...corners].map(([id, { x, y }]) => [id, { x: onGrid(x + left), y: onGrid(y + top) }]),
  )
}
