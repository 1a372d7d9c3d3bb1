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
