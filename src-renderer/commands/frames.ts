/** Frames: what is drawn together, under a title, in a colour, open or as one card. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { Frame, FrameLayout, Place } from '../../src-engine/model/workflow.ts'
import { frameOfNode, framesAround } from '../rules/frames.ts'
import { placed } from './draft-parts.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/** What a new frame goes around. */
export interface FrameMembers {
  readonly nodes: readonly NodeId[]
  readonly notes: readonly string[]
  readonly frames: readonly string[]
}

/** Where things belong after a drop: the frame of each, or null for none. */
export interface Memberships {
  readonly nodes: Readonly<Record<string, string | null>>
  readonly notes: Readonly<Record<string, string | null>>
  readonly frames: Readonly<Record<string, string | null>>
}

/** A new frame around these; where all of them were in one frame, it is inside of that. */
export function addFrame(
  id: string,
  frame: { readonly title: string; readonly members: FrameMembers; readonly box: FrameLayout },
): Edit {
  return singleEdit('Frame', (draft) => {
    const { nodes, notes, frames } = frame.members
    const around = new Set([
      ...nodes.map((node) => frameOfNode(draft, node)),
      ...frames.map((one) => draft.frames?.[one]?.parent ?? null),
    ])
    const [only = null] = around
    leaveFrames(draft, frame.members)
    draft.frames ??= {}
    draft.frames[id] = {
      title: frame.title,
      nodes: [...nodes],
      ...(notes.length === 0 ? {} : { notes: [...notes] }),
      ...(around.size === 1 && only !== null ? { parent: only } : {}),
    }
    for (const one of frames) {
      const inner = draft.frames[one]
      if (inner !== undefined) inner.parent = id
    }
    placeFrame(draft, id, frame.box)
  })
}

/** Another title or colour; typing is one step. */
export function changeFrame(
  id: string,
  changes: Partial<Pick<Frame, 'title'>> & { readonly color?: string | null },
): Edit {
  return {
    label: 'Change frame',
    gesture: `frame:${id}:${Object.keys(changes).join(',')}`,
    recipe: (draft) => {
      const frame = draft.frames?.[id]
      if (frame === undefined) return
      if (changes.title !== undefined) frame.title = changes.title
      if (changes.color === null) delete frame.color
      else if (changes.color !== undefined) frame.color = changes.color
    },
  }
}

/** Has one card stand for all that is in the frames, or shows it again. */
export function collapseFrames(ids: readonly string[], isCollapsed: boolean): Edit {
  return singleEdit(isCollapsed ? 'Collapse frame' : 'Open frame', (draft) => {
    for (const id of ids) {
      const layout = draft.layout?.frames?.[id]
      if (layout === undefined) continue
      if (isCollapsed) layout.collapsed = true
      else delete layout.collapsed
    }
  })
}

/** Another size or place of a frame's border; what is in it stays where it is. */
export function resizeFrame(id: string, box: FrameLayout): Edit {
  const byHand = { ...box, byHand: true }
  return {
    label: 'Resize frame',
    gesture: `frame-size:${id}`,
    recipe: (draft) => placeFrame(draft, id, byHand),
  }
}

/** Takes frames away; what was in them stays, one frame further out. */
export function removeFrames(ids: readonly string[]): Edit {
  return singleEdit(ids.length === 1 ? 'Remove frame' : `Remove ${ids.length} frames`, (draft) =>
    dropFrames(draft, ids),
  )
}

/** Notes where a frame's border is. */
export function placeFrame(draft: DocumentDraft, id: string, box: FrameLayout | Place): void {
  draft.layout ??= {}
  draft.layout.frames ??= {}
  const known = draft.layout.frames[id]
  const { byHand: _, ...before } = known ?? {}
  const { width, height } = 'width' in box ? box : { width: known?.width ?? 0, height: known?.height ?? 0 }
  draft.layout.frames[id] = {
    ...before,
    ...placed(box, known),
    width: Math.round(width),
    height: Math.round(height),
  }
}

/** Takes frames out of a draft. */
export function dropFrames(draft: DocumentDraft, ids: readonly string[]): void {
  for (const id of ids) {
    const frame = draft.frames?.[id]
    if (draft.frames === undefined || frame === undefined) continue
    const outer = frame.parent === undefined ? undefined : draft.frames[frame.parent]
    outer?.nodes.push(...frame.nodes)
    if (outer !== undefined && frame.notes !== undefined)
      outer.notes = [...(outer.notes ?? []), ...frame.notes]
    for (const inner of Object.values(draft.frames)) {
      if (inner.parent !== id) continue
      if (frame.parent === undefined) delete inner.parent
      else inner.parent = frame.parent
    }
    delete draft.frames[id]
    if (draft.layout?.frames !== undefined) delete draft.layout.frames[id]
  }
  if (draft.frames !== undefined && Object.keys(draft.frames).length === 0) delete draft.frames
  const layout = draft.layout
  if (layout?.frames !== undefined && Object.keys(layout.frames).length === 0) delete layout.frames
}

/** Puts things into the frames that they were dropped on, and out of those that they left. */
export function applyMemberships(draft: DocumentDraft, memberships: Memberships): void {
  const nodes = Object.entries(memberships.nodes)
  const notes = Object.entries(memberships.notes)
  leaveFrames(draft, {
    nodes: nodes.map(([id]) => id as NodeId),
    notes: notes.map(([id]) => id),
    frames: Object.keys(memberships.frames),
  })
  const frameOf = (id: string | null) => (id === null ? undefined : draft.frames?.[id])
  for (const [node, id] of nodes) frameOf(id)?.nodes.push(node as NodeId)
  for (const [note, id] of notes) {
    const frame = frameOf(id)
    if (frame !== undefined) frame.notes = [...(frame.notes ?? []), note]
  }
  for (const [inner, id] of Object.entries(memberships.frames)) {
    const frame = draft.frames?.[inner]
    if (frame !== undefined && id !== null && id !== inner && !framesAround(draft, id).includes(inner))
      frame.parent = id
  }
}

function leaveFrames(draft: DocumentDraft, members: FrameMembers): void {
  const [nodes, notes] = [new Set<string>(members.nodes), new Set(members.notes)]
  for (const frame of Object.values(draft.frames ?? {})) {
    if (frame.nodes.some((id) => nodes.has(id))) frame.nodes = frame.nodes.filter((id) => !nodes.has(id))
    if (frame.notes?.some((id) => notes.has(id)) !== true) continue
    const left = frame.notes.filter((id) => !notes.has(id))
    if (left.length === 0) delete frame.notes
    else frame.notes = left
  }
  for (const id of members.frames) {
    const frame = draft.frames?.[id]
    if (frame !== undefined) delete frame.parent
  }
}
