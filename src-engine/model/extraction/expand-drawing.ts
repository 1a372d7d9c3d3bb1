/** Where things stand once the steps of a sub-workflow are drawn in the place of its call: what follows moves on. Pure. */

import type { NodeId } from '../ids.ts'
import { nodeId } from '../ids.ts'
import type { Point, WorkflowDocument } from '../workflow.ts'

type Drawing = Pick<WorkflowDocument, 'sagaScopes' | 'notes' | 'frames' | 'layout'>

export interface DrawnPlaces {
  readonly step: NodeId
  readonly renamed: ReadonlyMap<NodeId, NodeId>
  /** The step that was added at the end; null for none. */
  readonly last: NodeId | null
}

/** Between the first corners of cards that stand beside each other, in pixels. */
const columnWidth = 280

export function drawnTogether(
  document: WorkflowDocument,
  child: WorkflowDocument,
  { step, renamed, last }: DrawnPlaces,
): Drawing {
  const inside = (id: NodeId): NodeId => renamed.get(id) ?? id
  const steps = [...renamed.values(), ...(last === null ? [] : [last])]
  const names = {
    frames: freeNames(document.frames, child.frames),
    notes: freeNames(document.notes, child.notes),
  }
  const scopes = freeNames(document.sagaScopes, child.sagaScopes)
  const sagaScopes = {
    ...mapped(document.sagaScopes, (scope) => ({ ...scope, nodes: written(scope.nodes, step, steps) })),
    ...renamedKeys(child.sagaScopes, scopes, (scope) => ({ ...scope, nodes: scope.nodes.map(inside) })),
  }
  const frames = {
    ...mapped(document.frames, (frame) => ({ ...frame, nodes: written(frame.nodes, step, steps) })),
    ...renamedKeys(child.frames, names.frames, ({ parent, notes, ...frame }) => ({
      ...frame,
      nodes: frame.nodes.flatMap((id) => renamed.get(id) ?? []),
      ...(notes === undefined ? {} : { notes: notes.map((id) => names.notes.get(id) ?? id) }),
      ...(parent === undefined ? {} : { parent: names.frames.get(parent) ?? parent }),
    })),
  }
  const notes = { ...document.notes, ...renamedKeys(child.notes, names.notes, (note) => note) }
  const parts = {
    sagaScopes,
    frames,
    notes,
    layout: layoutOf(document, child, { step, renamed, last, names }),
  }
  // What neither had stays away.
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0))
}

interface Names {
  readonly names: {
    readonly frames: ReadonlyMap<string, string>
    readonly notes: ReadonlyMap<string, string>
  }
}

function layoutOf(
  document: WorkflowDocument,
  child: WorkflowDocument,
  { step, renamed, last, names }: DrawnPlaces & Names,
): NonNullable<WorkflowDocument['layout']> {
  const layout = document.layout ?? {}
  const inner = child.layout ?? {}
  const places = Object.entries(inner.nodes ?? {}).filter(([id]) => renamed.has(nodeId(id)))
  const corner = cornerOf(places.map(([, place]) => place))
  const at = layout.nodes?.[step] ?? corner
  const width = places.length === 0 ? 0 : Math.max(...places.map(([, { x }]) => x)) - corner.x
  const grown = width + (last === null ? 0 : columnWidth)
  const shift = <Place extends Point>(place: Place): Place => ({
    ...place,
    x: at.x + place.x - corner.x,
    y: at.y + place.y - corner.y,
  })
  const moveOn = <Place extends Point>(place: Place): Place =>
    place.x > at.x ? { ...place, x: place.x + grown } : place
  const own = Object.fromEntries(places.map(([id, place]) => [renamed.get(nodeId(id)) ?? id, shift(place)]))
  const { [step]: _call, ...others } = layout.nodes ?? {}
  const parts = {
    nodes: {
      ...mapped(others, moveOn),
      ...own,
      ...(last === null ? {} : { [last]: { x: at.x + grown, y: at.y } }),
    },
    notes: { ...mapped(layout.notes, moveOn), ...renamedKeys(inner.notes, names.notes, shift) },
    frames: { ...mapped(layout.frames, moveOn), ...renamedKeys(inner.frames, names.frames, shift) },
  }
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0))
}

function cornerOf(places: readonly Point[]): Point {
  if (places.length === 0) return { x: 0, y: 0 }
  return { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) }
}

/** The list with all of them in the place of the one. */
const written = (nodes: readonly NodeId[], step: NodeId, steps: readonly NodeId[]): readonly NodeId[] =>
  nodes.includes(step) ? [...new Set(nodes.flatMap((id) => (id === step ? steps : [id])))] : nodes

/** The names of the second that the first has not, by what they were. */
function freeNames(
  first: Readonly<Record<string, unknown>> | undefined,
  second: Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<string, string> {
  const taken = new Set(Object.keys(first ?? {}))
  const free = new Map<string, string>()
  for (const name of Object.keys(second ?? {})) {
    let wanted = name
    for (let number = 2; taken.has(wanted); number += 1) wanted = `${name}${number}`
    taken.add(wanted)
    free.set(name, wanted)
  }
  return free
}

const mapped = <Value, Other>(
  values: Readonly<Record<string, Value>> | undefined,
  change: (value: Value) => Other,
): Readonly<Record<string, Other>> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([id, value]) => [id, change(value)]))

const renamedKeys = <Value, Other>(
  values: Readonly<Record<string, Value>> | undefined,
  names: ReadonlyMap<string, string>,
  change: (value: Value) => Other,
): Readonly<Record<string, Other>> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([id, value]) => [names.get(id) ?? id, change(value)]))
