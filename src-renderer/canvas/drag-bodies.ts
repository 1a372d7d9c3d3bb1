/** Dragging containers with what is inside them, and nodes into and out of bodies. Pure but for the lookup. */

import type { NodeChange } from '@xyflow/react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { Place, Point, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { moveInto } from '../commands/bodies.ts'
import type { Edit } from '../commands/edit.ts'
import type { Memberships } from '../commands/frames.ts'
import { insideOf, isContainer } from '../rules/bodies.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import { contentsOf, frameOfNode, frameOfNote, framesWithin } from '../rules/frames.ts'
import type { Designer } from '../state/designer.ts'
import { boxOf, parentAfterDrop } from './container-box.ts'
import { frameFlowId, frameIdOf, isNodeId, noteFlowId, noteIdOf, scopeIdOf } from './flow-ids.ts'
import { frameAt, frameBox } from './frame-box.ts'
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
export function innerPlaces(
  document: WorkflowDocument,
  { id, to }: { readonly id: string; readonly to: Point },
  specs: SpecsByKind,
): Readonly<Record<string, Point>> {
  const frame = frameIdOf(id)
  if (frame !== null) return framePlaces(document, { frame, to }, specs)
  const scope = scopeIdOf(id)
  if (scope !== null) return scopePlaces(document, { scope, to }, specs)
  const own = nodeId(id)
  return isContainer(document.nodes[own]) ? bodyPlaces(document, { id: own, to }, specs) : {}
}

/** Where all that is in a frame comes to stand, by flow id: nodes, notes and inner frames. */
function framePlaces(
  document: WorkflowDocument,
  { frame, to }: { readonly frame: string; readonly to: Point },
  specs: SpecsByKind,
): Readonly<Record<string, Point>> {
  const before = frameBox(document, frame, specs)
  const by = { x: to.x - before.x, y: to.y - before.y }
  const shifted = ({ x, y }: Point): Point => ({ x: x + by.x, y: y + by.y })
  const { nodes, notes } = contentsOf(document, frame)
  const places: Record<string, Point> = {}
  for (const id of nodes) {
    places[id] = shifted(isContainer(document.nodes[id]) ? boxOf(document, id, specs) : placeOf(document, id))
  }
  for (const id of notes) places[noteFlowId(id)] = shifted(document.layout?.notes?.[id] ?? { x: 0, y: 0 })
  for (const id of framesWithin(document, frame)) {
    places[frameFlowId(id)] = shifted(frameBox(document, id, specs))
  }
  return places
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

/** What dropping these nodes means: new places, and other bodies and frames where they left or entered one. */
export function dropEdit(designer: Designer, moved: readonly FlowNode[]): Edit {
  const { document } = designer.document.getState().history
  const { specs } = designer
  const places: Record<string, Place> = {}
  for (const { id, position } of moved) {
    Object.assign(places, { ...innerPlaces(document, { id, to: position }, specs), ...places })
    places[id] = { ...position, byHand: true }
  }
  // A group is where its steps are: they are what was put there.
  for (const id of moved.flatMap((one) => scopeMembers(document, one.id))) {
    const at = places[id]
    if (at !== undefined) places[id] = { ...at, byHand: true }
  }
  const parents = parentsAfter(designer, moved)
  const memberships = membershipsAfter(designer, moved, parents)
  const entries = Object.entries(places)
  const own = <T extends string>(idOf: (flowId: string) => T | null) =>
    Object.fromEntries(entries.flatMap(([id, at]) => (idOf(id) === null ? [] : [[idOf(id) ?? id, at]])))
  const nodes = own((id) => (isNodeId(id) ? id : null))
  const frames = Object.entries(own(frameIdOf)).map(([id, at]) => {
    const isCollapsed = document.layout?.frames?.[id]?.collapsed === true
    return [id, isCollapsed ? at : { ...frameBox(document, id, specs), ...at }] as const
  })
  return moveInto({ nodes, notes: own(noteIdOf), frames: Object.fromEntries(frames) }, parents, memberships)
}

const scopeMembers = (document: WorkflowDocument, flowId: string): readonly NodeId[] =>
  document.sagaScopes?.[scopeIdOf(flowId) ?? '']?.nodes ?? []

/** The body of each node that left or entered one. */
function parentsAfter(
  designer: Designer,
  moved: readonly FlowNode[],
): Readonly<Record<string, NodeId | null>> {
  const { document } = designer.document.getState().history
  const { specs } = designer
  const ids = new Set(moved.map(({ id }) => id))
  const parents: Record<string, NodeId | null> = {}
  for (const { id, position } of moved) {
    if (!isNodeId(id)) continue
    const own = nodeId(id)
    const parent = document.nodes[own]?.parent ?? null
    // It goes along with its container.
    if (parent !== null && ids.has(parent)) continue
    const { width, height } = boxOf(document, own, specs)
    const next = parentAfterDrop(document, { id: own, box: { ...position, width, height } }, specs)
    // Several that move together, container and all, aren't put into each other.
    if (next !== parent && (next === null || !ids.has(next))) parents[id] = next
  }
  return parents
}

/** The frame of each thing that left or entered one; what goes along with its frame stays in it. */
function membershipsAfter(
  designer: Designer,
  moved: readonly FlowNode[],
  parents: Readonly<Record<string, NodeId | null>>,
): Memberships {
  const { document } = designer.document.getState().history
  const nodes: Record<string, string | null> = {}
  const notes: Record<string, string | null> = {}
  const frames: Record<string, string | null> = {}
  if (document.frames === undefined) return { nodes, notes, frames }
  const carried = moved.flatMap(({ id }) => frameIdOf(id) ?? [])
  const apart = new Set(carried.flatMap((id) => [id, ...framesWithin(document, id)]))
  const under = ({ position, width = 0, height = 0 }: FlowNode): string | null => {
    const at = { x: position.x + width / 2, y: position.y + Math.min(height, 64) / 2 }
    return frameAt(document, at, { specs: designer.specs, apart })
  }
  for (const one of moved) {
    const [note, frame] = [noteIdOf(one.id), frameIdOf(one.id)]
    const known =
      frame === null
        ? note === null
          ? frameOfNode(document, one.id)
          : frameOfNote(document, note)
        : (document.frames[frame]?.parent ?? null)
    if (known !== null && apart.has(known)) continue
    const next = under(one)
    if (next === known) continue
    if (frame !== null) frames[frame] = next
    else if (note !== null) notes[note] = next
    else if (isNodeId(one.id)) nodes[one.id] = isInBody(designer, one.id, parents) ? null : next
  }
  return { nodes, notes, frames }
}

/** A body has its own border: what is in it is in no frame by itself. */
function isInBody(designer: Designer, id: string, parents: Readonly<Record<string, NodeId | null>>): boolean {
  const known = designer.document.getState().history.document.nodes[nodeId(id)]?.parent ?? null
  return (parents[id] === undefined ? known : parents[id]) !== null
}
