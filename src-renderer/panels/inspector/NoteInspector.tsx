/** A sticky note: its text and its colour. */

import { useId } from 'react'
import { changeNote, paintNote } from '../../commands/notes.ts'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { notes as words } from '../../text/canvas-words.ts'
import controls from '../../ui/controls.module.css'
import { Swatches } from '../../ui/Swatches.tsx'
import styles from './Inspector.module.css'

export function NoteInspector({ id }: { readonly id: string }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const field = useId()
  const note = useShownDocument((document) => document.notes?.[id])
  if (note === undefined) return null
  const { edit, endGesture } = designer.document.getState()
  return (
    <div className={styles['scroll']}>
      <div className={styles['section']} data-testid="note-inspector">
        <h2>{words.title}</h2>
        <div className={styles['field']}>
          <label htmlFor={field}>{words.text}</label>
          <textarea
            id={field}
            className={controls['field']}
            rows={8}
            readOnly={isReadOnly}
            value={note.text}
            onChange={(event) => edit(changeNote(id, event.currentTarget.value))}
            onBlur={endGesture}
          />
          <p>{words.hint}</p>
        </div>
        <Swatches
          label={words.color}
          value={note.color ?? null}
          isReadOnly={isReadOnly}
          onChoose={(color) => edit(paintNote(id, color))}
        />
      </div>
    </div>
  )
}
