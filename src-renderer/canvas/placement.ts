/** From a task kind to a placed, connected node: what palette, quick-add and drop have in common. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import { notedVersion } from '../../src-engine/model/task-versions.ts'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Attachment } from '../commands/add-node.ts'
import { addNode } from '../commands/add-node.ts'
import { freeNodeId } from '../commands/new-ids.ts'
import { mayConnect } from '../rules/connection.ts'
import type { Designer } from '../state/designer.ts'
import { isReadOnly } from '../state/selectors.ts'
import { cardSize, cardWidth, freePlace, placeOf, portsOf, snapped } from './geometry.ts'

const columnGap = 80

/** Adds a node of that kind there; `at` is its top left corner. Selects it and gives its id. */
export function addKind(
  designer: Designer,
  spec: TaskSpec,
  where: {
    readonly at: Point
    readonly attach: Attachment
    readonly parent?: NodeId | null
    /** Beside what its kind starts with. */
    readonly parameters?: JsonObject
  },
): NodeId | null {
  if (isReadOnly(designer)) return null
  const { history, edit } = designer.document.getState()
  const id = freeNodeId(spec.kind, new Set(Object.keys(history.document.nodes)))
  const parent = where.parent ?? null
  const node = {
    kind: spec.kind,
    parameters: structuredClone({ ...spec.defaults, ...where.parameters }),
    ...notedVersion(spec),
    ...(parent === null ? {} : { parent }),
  }
  const outPort = spec.outputs(node.parameters)[0]?.id ?? null
  edit(
    addNode(
      { id, node, at: snapped(where.at), title: spec.title, outPort, hasInput: spec.hasInput },
      where.attach,
    ),
  )
  designer.view.getState().select({ nodes: [id] })
  designer.view.getState().setFresh(id)
  // Nothing is known of it yet but what is to be filled in.
  designer.view.getState().setPanels({ inspectorTab: 'parameters' })
  designer.view.getState().announce(`${spec.title} added.`)
  designer.ambient.onFrame(() => {
    // The card is there now, perhaps outside of the view. Who opened the next search since, writes in it.
    if (designer.view.getState().quickAdd === null) designer.canvas.current?.focusNode(id)
  })
  return id
}

/** Adds a node after the selected one, tied to its first free way out; else in the middle of the view. */
export function addNearSelection(designer: Designer, spec: TaskSpec): NodeId | null {
  const { document } = designer.document.getState().history
  const [anchor] = designer.view.getState().selection.nodes
  if (anchor !== undefined && document.nodes[anchor] !== undefined) {
    const port = spec.hasInput ? freePortOf(designer, document, anchor) : null
    const attach: Attachment =
      port === null ? { kind: 'none' } : { kind: 'after', from: { node: anchor, port } }
    const id = addKind(designer, spec, { at: placeAfter(document, anchor), attach })
    // It is drawn in the next frame, perhaps outside of what is seen.
    if (id !== null) designer.ambient.onFrame(() => designer.canvas.current?.reveal(id))
    return id
  }
  const middle = designer.canvas.current?.middle() ?? { x: 0, y: 0 }
  const at = freePlace(document, { x: middle.x - cardWidth / 2, y: middle.y - cardSize(1).height / 2 })
  return addKind(designer, spec, { at, attach: { kind: 'none' } })
}

/** The place right of a node, below what is there already. */
export function placeAfter(document: WorkflowDocument, id: NodeId): Point {
  const place = placeOf(document, id)
  return freePlace(document, { x: place.x + cardWidth + columnGap, y: place.y })
}

/** The first way out that leads nowhere yet; the first one when all are used; null for a node without any. */
export function freePortOf(designer: Designer, document: WorkflowDocument, id: NodeId): string | null {
  const node = document.nodes[id]
  if (node === undefined) return null
  const ports = portsOf(node, designer.specs.get(node.kind))
  const used = new Set(
    Object.values(document.edges)
      .filter(({ from }) => from.node === id)
      .map(({ from }) => from.port),
  )
  return (ports.find((port) => !used.has(port.id)) ?? ports[0])?.id ?? null
}

/** Nodes that may become the target of a connection from that port, from left to right. */
export function targetsOf(
  designer: Designer,
  from: { readonly node: NodeId; readonly port: string },
): readonly NodeId[] {
  const { document } = designer.document.getState().history
  // Keys of the nodes are their ids.
  const ids = Object.keys(document.nodes) as NodeId[]
  const free = ids.filter(
    (node) => mayConnect(document, { from, to: { node, port: 'in' } }, { specs: designer.specs }) === true,
  )
  return free.toSorted((left, right) => {
    const [a, b] = [placeOf(document, left), placeOf(document, right)]
    return a.x - b.x || a.y - b.y
  })
}
