/** Move nodes and notes. */

import type { FrameLayout, Place } from '../../src-engine/model/workflow.ts'
import { placeNode, placeNote } from './draft-parts.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { placeFrame } from './frames.ts'

export interface Moves {
  readonly nodes: Readonly<Record<string, Place>>
  readonly notes: Readonly<Record<string, Place>>
  /** A frame's border may change its size on the way. */
  readonly frames?: Readonly<Record<string, Place | FrameLayout>>
}

/** New places. `gesture` joins the steps of arrow keys held down; a drag is one edit anyway. */
export function move(
  moves: Moves,
  options: { readonly label?: string; readonly gesture?: string } = {},
): Edit {
  return {
    label: options.label ?? 'Move',
    gesture: options.gesture ?? null,
    recipe: (draft) => place(draft, moves),
  }
}

/** Puts everything where it was moved to. */
export function place(draft: DocumentDraft, moves: Moves): void {
  for (const [id, at] of Object.entries(moves.nodes)) placeNode(draft, id, at)
  for (const [id, at] of Object.entries(moves.notes)) placeNote(draft, id, at)
  for (const [id, at] of Object.entries(moves.frames ?? {})) placeFrame(draft, id, at)
}
