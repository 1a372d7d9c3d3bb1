/** Sticky notes. */

import type { Point } from '../../src-engine/model/workflow.ts'
import { placeNote } from './draft-parts.ts'
import type { Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

/** A new note. */
export function addNote(note: { readonly id: string; readonly text: string; readonly at: Point }): Edit {
  return singleEdit('Add note', (draft) => {
    draft.notes ??= {}
    draft.notes[note.id] = { text: note.text }
    placeNote(draft, note.id, note.at)
  })
}

/** Another text; typing is one step. */
export function changeNote(id: string, text: string): Edit {
  return {
    label: 'Edit note',
    gesture: `note:${id}`,
    recipe: (draft) => {
      const note = draft.notes?.[id]
      if (note !== undefined) note.text = text
    },
  }
}

/** Another colour; null for the usual one. */
export function paintNote(id: string, color: string | null): Edit {
  return singleEdit('Colour note', (draft) => {
    const note = draft.notes?.[id]
    if (note === undefined) return
    if (color === null) delete note.color
    else note.color = color
  })
}

/** Another size or place; a drag of its corner is one step. */
export function resizeNote(
  id: string,
  box: Point & { readonly width: number; readonly height: number },
): Edit {
  return {
    label: 'Resize note',
    gesture: `note-size:${id}`,
    recipe: (draft) => {
      placeNote(draft, id, box)
      const layout = draft.layout?.notes?.[id]
      if (layout === undefined) return
      layout.width = Math.round(box.width)
      layout.height = Math.round(box.height)
    },
  }
}
