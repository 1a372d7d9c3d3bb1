/** Where things stand on the two canvases once a selection is a workflow of its own: places, frames, groups. Pure. */

import type { NodeId } from '../ids.ts'
import type { Frame, Point, SagaScope, WorkflowDocument, WorkflowLayout } from '../workflow.ts'
import type { SelectionShape } from './selection-shape.ts'

type Drawing = Pick<WorkflowDocument, 'sagaScopes' | 'notes' | 'frames' | 'layout'>

/** Left of the first steps, in pixels. */
const columnWidth = 280

/** The drawing of the new workflow. `begin` is its first step where there is one more. */
export function drawingOf(document: WorkflowDocument, shape: SelectionShape, begin: NodeId | null): Drawing {
  const { inside, entries } = shape
  const frames = movedFrames(document, shape)
  const notes = pick(document.notes ?? {}, (id) => isNoteOf(frames, id))
  const scopes = pick(document.sagaScopes ?? {}, (_, { nodes }: SagaScope) =>
    nodes.every((id) => inside.has(id)),
  )
  const layout = document.layout ?? {}
  const places = pick(layout.nodes ?? {}, (id) => inside.has(id as NodeId))
  const [first = null] = entries.flatMap((id) => places[id] ?? [])
  const own: WorkflowLayout = {
    nodes:
      begin === null || first === null
        ? places
        : { ...places, [begin]: { x: first.x - columnWidth, y: first.y } },
    notes: pick(layout.notes ?? {}, (id) => notes[id] !== undefined),
    frames: pick(layout.frames ?? {}, (id) => frames[id] !== undefined),
  }
  return {
    ...filled('sagaScopes', scopes),
    ...filled('notes', notes),
    ...filled('frames', frames),
    ...filled('layout', withoutEmpty(own)),
  }
}

/** The drawing of what is left, with the step that calls the new workflow in the middle of where its steps were. */
export function drawingWithout(
  document: WorkflowDocument,
  shape: SelectionShape,
  { step, result }: { readonly step: NodeId; readonly result: NodeId | null },
): Pick<Drawing, 'notes' | 'frames' | 'layout'> {
  const { inside, level } = shape
  const moved = movedFrames(document, shape)
  const frames = Object.fromEntries(
    Object.entries(document.frames ?? {}).flatMap(([id, frame]) => {
      if (moved[id] !== undefined) return []
      const kept = frame.nodes.filter((node) => !inside.has(node))
      if (kept.length === frame.nodes.length) return [[id, frame]]
      return [[id, { ...frame, nodes: [...kept, step, ...(result === null ? [] : [result])] }]]
    }),
  )
  const layout = document.layout ?? {}
  // The last step stays where it was, with what hands its result on.
  const places = level.flatMap((id) => (id === result ? [] : (layout.nodes?.[id] ?? [])))
  const own = result === null ? undefined : layout.nodes?.[result]
  const middle = middleOf(places)
  const kept: WorkflowLayout = {
    nodes: {
      ...pick(layout.nodes ?? {}, (id) => !inside.has(id as NodeId)),
      ...(middle === null ? {} : { [step]: middle }),
      ...(result === null || own === undefined ? {} : { [result]: own }),
    },
    notes: pick(layout.notes ?? {}, (id) => !isNoteOf(moved, id)),
    frames: pick(layout.frames ?? {}, (id) => moved[id] === undefined),
  }
  return {
    ...filled(
      'notes',
      pick(document.notes ?? {}, (id) => !isNoteOf(moved, id)),
    ),
    ...filled('frames', frames),
    ...filled('layout', withoutEmpty(kept)),
  }
}

/** Frames around nothing but selected steps; what was around them stays behind. */
function movedFrames(
  { frames = {} }: WorkflowDocument,
  { inside }: SelectionShape,
): Readonly<Record<string, Frame>> {
  const isMoved = (id: string): boolean => {
    const within = Object.entries(frames).filter(([, { parent }]) => parent === id)
    const nodes = frames[id]?.nodes ?? []
    const isOwn = nodes.every((node) => inside.has(node)) && within.every(([inner]) => isMoved(inner))
    return isOwn && (nodes.length > 0 || within.length > 0)
  }
  return Object.fromEntries(
    Object.entries(frames).flatMap(([id, { parent, ...frame }]) =>
      isMoved(id) ? [[id, { ...frame, ...(parent !== undefined && isMoved(parent) ? { parent } : {}) }]] : [],
    ),
  )
}

const isNoteOf = (frames: Readonly<Record<string, Frame>>, note: string): boolean =>
  Object.values(frames).some(({ notes }) => notes?.includes(note))

function middleOf(places: readonly Point[]): Point | null {
  if (places.length === 0) return null
  const [left, right] = [Math.min(...places.map(({ x }) => x)), Math.max(...places.map(({ x }) => x))]
  const [top, bottom] = [Math.min(...places.map(({ y }) => y)), Math.max(...places.map(({ y }) => y))]
  return { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) }
}

const withoutEmpty = (layout: WorkflowLayout): WorkflowLayout =>
  Object.fromEntries(Object.entries(layout).filter(([, part]) => Object.keys(part).length > 0))

const filled = <Name extends keyof Drawing>(
  name: Name,
  part: NonNullable<Drawing[Name]>,
): Pick<Drawing, Name> | object => (Object.keys(part).length === 0 ? {} : { [name]: part })

function pick<Value>(
  values: Readonly<Record<string, Value>>,
  isKept: (id: string, value: Value) => boolean,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => isKept(id, value)))
}
