/** Dragging containers with what is inside them, and nodes into and out of bodies. Pure but for the lookup. */

import type { NodeChange } from '@xyflow/react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { moveInto } from '../commands/bodies.ts'
import type { Edit } from '../commands/edit.ts'
import { insideOf, isContainer } from '../rules/bodies.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import type { Designer } from '../state/designer.ts'
import { boxOf, parentAfterDrop } from './container-box.ts'
import { noteIdOf, scopeIdOf } from './flow-ids.ts'
import { placeOf } from './geometry.ts'
import { scopeBox } from './scope-box.ts'
import type { FlowNode } from './to-flow.ts'

/** The changes of a drag, with those of everything inside a dragged container. */
export function withBodies(
  document: WorkflowDocument,
  changes: readonly NodeChange<FlowNode>[],
  specs: SpecsByKind,
): readonly NodeChange<FlowNode>[] {
  const moves = changes.filter((change) => change.type === 'position')
  const known = new Set(moves.map(({ id }) => id))
  const inner = moves.flatMap((change) => {
    const { id, position, dragging } = change
    if (position === undefined) return []
    return Object.entries(innerPlaces(document, { id, to: position }, specs))
      .filter(([child]) => !known.has(child))
      .map(([child, at]) => ({
        id: child,
        type: 'position' as const,
        position: at,
        dragging: dragging === true,
      }))
  })
  return inner.length === 0 ? changes : [...changes, ...inner]
}

/** Where what goes along with a container, or with the frame of a group, comes to stand. */
function innerPlaces(
  document: WorkflowDocument,
  { id, to }: { readonly id: string; readonly to: Point },
  specs: SpecsByKind,
): Readonly<Record<string, Point>> {
  const scope = scopeIdOf(id)
  if (scope !== null) return scopePlaces(document, { scope, to }, specs)
  const own = nodeId(id)
  return isContainer(document.nodes[own]) ? bodyPlaces(document, { id: own, to }, specs) : {}
}

function scopePlaces(
  document: WorkflowDocument,
  { scope, to }: { readonly scope: string; readonly to: Point },
  specs: SpecsByKind,
): Readonly<Record<string, Point>> {
  const members = document.sagaScopes?.[scope]?.nodes.filter((id) => document.nodes[id] !== undefined) ?? []
  const before = scopeBox(document, members, { specs, dragged: new Map() })
  if (before === null) return {}
  const by = { x: to.x - before.x, y: to.y - before.y }
  const all = members.flatMap((id) => [id, ...insideOf(document, id)])
  return Object.fromEntries(
    all.map((id) => {
      const { x, y } = isContainer(document.nodes[id]) ? boxOf(document, id, specs) : placeOf(document, id)
      return [id, { x: x + by.x, y: y + by.y }]
    }),
  )
}

/** Where what is inside a container comes to stand when the container goes there; as boxes are drawn. */
function bodyPlaces(
  document: WorkflowDocument,
  moved: { readonly id: NodeId; readonly to: Point },
  specs: SpecsByKind,
): Readonly<Record<string, Point>> {
  const before = boxOf(document, moved.id, specs)
  const by = { x: moved.to.x - before.x, y: moved.to.y - before.y }
  return Object.fromEntries(
    insideOf(document, moved.id).map((id) => {
      // A container is drawn where its box begins, which is not always where it was put.
      const { x, y } = isContainer(document.nodes[id]) ? boxOf(document, id, specs) : placeOf(document, id)
      return [id, { x: x + by.x, y: y + by.y }]
    }),
  )
}

/** What dropping these nodes means: new places, and other bodies where they left or entered one. */
export function dropEdit(designer: Designer, moved: readonly FlowNode[]): Edit {
  const { document } = designer.document.getState().history
  const { specs } = designer
  const nodes: Record<string, Point> = {}
  const notes: Record<string, Point> = {}
  const parents: Record<string, NodeId | null> = {}
  const ids = new Set(moved.map(({ id }) => id))
  for (const { id, position } of moved) {
    const note = noteIdOf(id)
    if (note !== null) {
      notes[note] = position
      continue
    }
    Object.assign(nodes, { ...innerPlaces(document, { id, to: position }, specs), ...nodes })
    if (scopeIdOf(id) !== null) continue
    const own = nodeId(id)
    nodes[id] = position
    const parent = document.nodes[own]?.parent ?? null
    // It goes along with its container.
    if (parent !== null && ids.has(parent)) continue
    const { width, height } = boxOf(document, own, specs)
    const next = parentAfterDrop(document, { id: own, box: { ...position, width, height } }, specs)
    // Several that move together, container and all, aren't put into each other.
    if (next !== parent && (next === null || !ids.has(next))) parents[id] = next
  }
  return moveInto({ nodes, notes }, parents)
}
