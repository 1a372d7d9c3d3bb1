/** Tidy layout: layers from left to right, bodies inside their containers. Loaded when it is first asked for. */

import dagre from '@dagrejs/dagre'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { isContainer } from '../rules/bodies.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import { bodyPadding, emptyBody } from './container-box.ts'
import type { Size } from './geometry.ts'
import { cardSize, gridStep, placeOf, portsOf, stateHeight } from './geometry.ts'

const layerGap = 72
const rowGap = 32

/** One level of the workflow, laid out from its own top left corner. */
interface Level {
  readonly size: Size
  readonly corners: ReadonlyMap<NodeId, Point>
}

interface Task {
  readonly document: WorkflowDocument
  readonly specs: SpecsByKind
  /** The chosen nodes by the container that they are laid out in; null for the canvas. */
  readonly byParent: ReadonlyMap<NodeId | null, readonly NodeId[]>
}

/** New places for all nodes, or for some of them around where they are. On the grid, top left kept. */
export function tidyPlaces(
  document: WorkflowDocument,
  options: { readonly specs: SpecsByKind; readonly only: readonly NodeId[] | null },
): Readonly<Record<string, Point>> {
  const known = (options.only ?? (Object.keys(document.nodes) as NodeId[])).filter(
    (id) => document.nodes[id] !== undefined,
  )
  const chosen = new Set<NodeId>(known)
  const parentIn = (id: NodeId): NodeId | null => {
    const parent = document.nodes[id]?.parent
    return parent !== undefined && chosen.has(parent) && isContainer(document.nodes[parent]) ? parent : null
  }
  const byParent = Map.groupBy(known, parentIn)
  const { corners } = levelOf({ document, specs: options.specs, byParent }, null)
  return anchored(document, corners)
}

/** Lays out a level, the bodies of its containers first: these decide how large the containers are. */
function levelOf(task: Task, parent: NodeId | null): Level {
  const ids = task.byParent.get(parent) ?? []
  const bodies = new Map(
    ids.filter((id) => isContainer(task.document.nodes[id])).map((id) => [id, levelOf(task, id)]),
  )
  const corners = new Map<NodeId, Point>()
  let [width, height] = [0, 0]
  for (const [id, box] of layered(task, { ids, bodies })) {
    corners.set(id, { x: box.x, y: box.y })
    width = Math.max(width, box.x + box.width)
    height = Math.max(height, box.y + box.height)
    for (const [inner, at] of bodies.get(id)?.corners ?? []) {
      corners.set(inner, { x: box.x + bodyPadding.side + at.x, y: box.y + bodyPadding.top + at.y })
    }
  }
  return { size: { width, height }, corners }
}

function layered(
  task: Task,
  level: { readonly ids: readonly NodeId[]; readonly bodies: ReadonlyMap<NodeId, Level> },
): ReadonlyMap<NodeId, Point & Size> {
  const { document, specs } = task
  const chosen = new Set<string>(level.ids)
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', ranksep: layerGap, nodesep: rowGap, marginx: 0, marginy: 0 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const id of level.ids) {
    const node = document.nodes[id]
    if (node === undefined) continue
    const body = level.bodies.get(id)
    const size =
      body === undefined ? cardSize(portsOf(node, specs.get(node.kind)).length) : aroundBody(body.size)
    graph.setNode(id, { width: size.width, height: size.height + stateHeight })
  }
  for (const [key, { from, to }] of Object.entries(document.edges)) {
    if (chosen.has(from.node) && chosen.has(to.node)) graph.setEdge(from.node, to.node, {}, key)
  }
  dagre.layout(graph)
  const boxes = new Map<NodeId, Point & Size>()
  for (const id of graph.nodes()) {
    const { x, y, width, height } = graph.node(id) as Point & Size
    boxes.set(id as NodeId, { x: x - width / 2, y: y - height / 2, width, height: height - stateHeight })
  }
  return boxes
}

/** The frame of a container around a body of that size. */
function aroundBody({ width, height }: Size): Size {
  if (width === 0) return emptyBody
  return {
    width: width + 2 * bodyPadding.side,
    height: height + bodyPadding.top + bodyPadding.bottom,
  }
}

/** Moves the layout so that its top left corner is where it was. */
function anchored(
  document: WorkflowDocument,
  corners: ReadonlyMap<NodeId, Point>,
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
