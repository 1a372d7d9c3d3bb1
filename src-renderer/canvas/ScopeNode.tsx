/** The frame around nodes that are undone together; its title selects it. */

import type { NodeProps } from '@xyflow/react'
import { Undo2 } from 'lucide-react'
import { memo } from 'react'
import { scopes as words } from '../text/saga-words.ts'
import { scopeIdOf } from './flow-ids.ts'
import styles from './ScopeNode.module.css'
import type { ScopeFlowNode } from './saga-flow.ts'

export const ScopeNode = memo(function ScopeNode({ id, data, selected }: NodeProps<ScopeFlowNode>) {
  return (
    <div
      className={styles['scope']}
      data-selected={selected || undefined}
      data-order={data.order}
      data-testid={`scope-${scopeIdOf(id)}`}
    >
      <span className={styles['title']} title={words.orders[data.order].title}>
        <Undo2 size={13} strokeWidth={2.2} aria-hidden />
        <b>{data.title}</b>
        <small>{words.orders[data.order].title}</small>
      </span>
    </div>
  )
})
