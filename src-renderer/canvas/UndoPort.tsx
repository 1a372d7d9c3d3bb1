/** On the lower edge of a card: how its node is undone; a line drawn from it leads to what undoes it. */

import { Handle, Position } from '@xyflow/react'
import { Pin, Undo2 } from 'lucide-react'
import { memo } from 'react'
import { undoPort } from '../rules/compensation.ts'
import type { UndoMark } from './saga-flow.ts'
import styles from './UndoPort.module.css'

export const UndoPort = memo(function UndoPort({ mark }: { readonly mark: UndoMark | null }) {
  if (mark === null) return null
  const Icon = mark.way === 'impossible' ? Pin : Undo2
  return (
    <Handle
      type="source"
      position={Position.Bottom}
      id={undoPort}
      className={styles['port'] ?? ''}
      title={mark.hint}
      data-undo={mark.way}
      data-testid="undo-port"
    >
      <Icon size={11} strokeWidth={2.4} aria-hidden />
    </Handle>
  )
})
