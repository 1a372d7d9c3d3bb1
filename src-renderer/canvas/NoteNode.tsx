/** A sticky note in Markdown. A double click, or Enter, writes it. */

import type { NodeProps } from '@xyflow/react'
import { NodeResizer } from '@xyflow/react'
import { memo } from 'react'
import { changeNote, resizeNote } from '../commands/notes.ts'
import { useDesigner, useView } from '../state/context.ts'
import { notes as words } from '../text/canvas-words.ts'
import { Markdown } from '../ui/Markdown.tsx'
import { noteIdOf } from './flow-ids.ts'
import styles from './NoteNode.module.css'
import type { NoteFlowNode } from './to-flow.ts'

export const NoteNode = memo(function NoteNode({ id, data, selected }: NodeProps<NoteFlowNode>) {
  const designer = useDesigner()
  const noteId = noteIdOf(id) ?? id
  const isWriting = useView((state) => state.writingNote === noteId) && !data.isReadOnly
  const { edit, endGesture } = designer.document.getState()
  const write = (isOn: boolean): void => designer.view.getState().setWritingNote(isOn ? noteId : null)
  return (
    <div
      className={styles['note']}
      data-color={data.color ?? undefined}
      data-selected={selected || undefined}
      data-testid={`note-${noteId}`}
      onDoubleClick={() => write(!data.isReadOnly)}
    >
      {selected && !data.isReadOnly && (
        <NodeResizer
          minWidth={120}
          minHeight={64}
          lineClassName={styles['line'] ?? ''}
          handleClassName={styles['handle'] ?? ''}
          onResize={(_event, box) => edit(resizeNote(noteId, box))}
          onResizeEnd={endGesture}
        />
      )}
      {isWriting ? (
        <textarea
          className="nodrag nopan nowheel"
          aria-label={words.title}
          defaultValue={data.text}
          ref={(field) => field?.focus()}
          onChange={(event) => edit(changeNote(noteId, event.currentTarget.value))}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key !== 'Escape') return
            write(false)
            designer.canvas.current?.focusNode(id)
          }}
          onBlur={() => {
            endGesture()
            write(false)
          }}
        />
      ) : data.text === '' ? (
        <p className={styles['empty']}>{words.empty}</p>
      ) : (
        <Markdown text={data.text} />
      )}
    </div>
  )
})
