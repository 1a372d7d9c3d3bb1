/** Move nodes and notes. */

import type { Point } from '../../src-engine/model/workflow.ts'
import { placeNode, placeNote } from './draft-parts.ts'
import type { Edit } from './edit.ts'

export interface Moves {
  readonly nodes: Readonly<Record<string, Point>>
  readonly notes: Readonly<Record<string, Point>>
}

/** New places. `gesture` joins the steps of arrow keys held down; a drag is one edit anyway. */
export function move(
  moves: Moves,
  options: { readonly label?: string; readonly gesture?: string } = {},
): Edit {
  return {
    label: options.label ?? 'Move',
    gesture: options.gesture ?? null,
    recipe: (draft) => {
      for (const [id, at] of Object.entries(moves.nodes)) placeNode(draft, id, at)
      for (const [id, at] of Object.entries(moves.notes)) placeNote(draft, id, at)
    },
  }
}
