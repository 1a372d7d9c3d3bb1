/** A sticky note. Double click to write. */

import type { NodeProps } from '@xyflow/react'
import { memo, useState } from 'react'
import { changeNote } from '../commands/notes.ts'
import { useDesigner } from '../state/context.ts'
import { noteIdOf } from './flow-ids.ts'
import styles from './NoteNode.module.css'
import type { NoteFlowNode } from './to-flow.ts'

export const NoteNode = memo(function NoteNode({ id, data, selected }: NodeProps<NoteFlowNode>) {
  const designer = useDesigner()
  const [isWriting, setWriting] = useState(false)
  const noteId = noteIdOf(id) ?? id
  return (
    <div
      className={styles['note']}
      data-selected={selected || undefined}
      data-testid={`note-${noteId}`}
      onDoubleClick={() => setWriting(!data.isReadOnly)}
    >
      {isWriting ? (
        <textarea
          className="nodrag nopan nowheel"
          aria-label="Note"
          defaultValue={data.text}
          ref={(field) => field?.focus()}
          onChange={(event) =>
            designer.document.getState().edit(changeNote(noteId, event.currentTarget.value))
          }
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') setWriting(false)
          }}
          onBlur={() => {
            designer.document.getState().endGesture()
            setWriting(false)
          }}
        />
      ) : (
        <p>{data.text === '' ? 'Double click to write' : data.text}</p>
      )}
    </div>
  )
})
