/** What is in which frame. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { insideOf } from './bodies.ts'

type Framed = Pick<WorkflowDocument, 'nodes' | 'frames'>

/** The frame that a node itself is in; null for none. */
export function frameOfNode({ frames }: Pick<Framed, 'frames'>, id: string): string | null {
  return Object.entries(frames ?? {}).find(([, { nodes }]) => nodes.some((node) => node === id))?.[0] ?? null
}

/** The frame that a note is in; null for none. */
export function frameOfNote({ frames }: Pick<Framed, 'frames'>, id: string): string | null {
  return Object.entries(frames ?? {}).find(([, { notes }]) => notes?.includes(id) === true)?.[0] ?? null
}

/** The frames around a frame, the inner ones first. */
export function framesAround({ frames }: Pick<Framed, 'frames'>, id: string): readonly string[] {
  const found = new Set<string>()
  let at = frames?.[id]?.parent
  // A document from elsewhere may have a circle.
  while (at !== undefined && at !== id && frames?.[at] !== undefined && !found.has(at)) {
    found.add(at)
    at = frames[at]?.parent
  }
  return [...found]
}

/** The frames inside a frame, however deep. */
export function framesWithin(document: Pick<Framed, 'frames'>, id: string): readonly string[] {
  return Object.keys(document.frames ?? {}).filter((one) => framesAround(document, one).includes(id))
}

/** All nodes and notes that a frame goes around, with the bodies of its maps and loops. */
export function contentsOf(
  document: Framed,
  id: string,
): { readonly nodes: readonly NodeId[]; readonly notes: readonly string[] } {
  const all = [id, ...framesWithin(document, id)].map((one) => document.frames?.[one])
  const own = all.flatMap((frame) => frame?.nodes ?? []).filter((node) => document.nodes[node] !== undefined)
  return {
    nodes: [...new Set(own.flatMap((node) => [node, ...insideOf(document, node)]))],
    notes: all.flatMap((frame) => frame?.notes ?? []),
  }
}

/** What is out of sight: nodes, notes and frames, each with the collapsed frame that stands for it. */
export interface Hidden {
  readonly nodes: ReadonlyMap<string, string>
  readonly notes: ReadonlyMap<string, string>
  readonly frames: ReadonlyMap<string, string>
}

const nothingHidden: Hidden = { nodes: new Map(), notes: new Map(), frames: new Map() }

/** Everything that collapsed frames stand for; the outermost one counts. */
export function hiddenBy(document: Framed & Pick<WorkflowDocument, 'layout'>): Hidden {
  const isCollapsed = (id: string): boolean => document.layout?.frames?.[id]?.collapsed === true
  const collapsed = Object.keys(document.frames ?? {}).filter(isCollapsed)
  if (collapsed.length === 0) return nothingHidden
  const outer = collapsed.filter((id) => !framesAround(document, id).some(isCollapsed))
  const hidden = {
    nodes: new Map<string, string>(),
    notes: new Map<string, string>(),
    frames: new Map<string, string>(),
  }
  for (const id of outer) {
    const { nodes, notes } = contentsOf(document, id)
    for (const node of nodes) hidden.nodes.set(node, id)
    for (const note of notes) hidden.notes.set(note, id)
    for (const frame of framesWithin(document, id)) hidden.frames.set(frame, id)
  }
  return hidden
}
