/** The title of a card; F2 or a double click turns it into a field. */

import type { KeyboardEvent } from 'react'
import { memo, useRef } from 'react'
import { nodeId } from '../../src-engine/model/ids.ts'
import { changeNode } from '../commands/change-node.ts'
import { useDesigner, useView } from '../state/context.ts'
import styles from './TaskNode.module.css'

export const NodeTitle = memo(function NodeTitle({
  id,
  title,
  isReadOnly,
}: {
  readonly id: string
  readonly title: string
  readonly isReadOnly: boolean
}) {
  const designer = useDesigner()
  const isRenaming = useView((state) => state.renaming === id)
  const isSettled = useRef(false)
  if (!isRenaming || isReadOnly) {
    return (
      <span
        className={styles['title']}
        title={title}
        onDoubleClick={() => designer.view.getState().setRenaming(nodeId(id))}
      >
        {title}
      </span>
    )
  }
  const settle = (text: string | null): void => {
    if (isSettled.current) return
    isSettled.current = true
    const trimmed = text?.trim() ?? ''
    if (text !== null && trimmed !== title) {
      designer.document.getState().edit(changeNode(nodeId(id), { title: trimmed === '' ? null : trimmed }))
      designer.document.getState().endGesture()
    }
    designer.view.getState().setRenaming(null)
    designer.canvas.current?.focusNode(id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    event.stopPropagation()
    if (event.key === 'Enter') settle(event.currentTarget.value)
    if (event.key === 'Escape') settle(null)
  }
  return (
    <input
      className={`${styles['titleField']} nodrag nopan`}
      aria-label="Node title"
      defaultValue={title}
      ref={(input) => {
        if (input === null || document.activeElement === input) return
        isSettled.current = false
        input.focus()
        input.select()
      }}
      onKeyDown={onKeyDown}
      onBlur={(event) => settle(event.currentTarget.value)}
    />
  )
})
