/** The line from a node to the one that undoes it: dashed, in the colour of repair, never taken forward. */

import type { EdgeProps } from '@xyflow/react'
import { BaseEdge } from '@xyflow/react'
import { memo } from 'react'
import { useNodeRun } from '../state/selectors.ts'
import { useRewindMark } from '../state/use-rewound.ts'
import { edgePath } from './edge-path.ts'
import type { UndoFlowEdge } from './saga-flow.ts'
import styles from './UndoEdge.module.css'

export const UndoEdge = memo(function UndoEdge(edge: EdgeProps<UndoFlowEdge>) {
  const [path, x, y] = edgePath(edge)
  // Once the rollback came over it, it was taken.
  const run = useNodeRun(edge.source)
  const mark = useRewindMark(edge.source)
  const isTaken = mark === 'next' || (mark === 'passed' && run?.undo?.status === 'SUCCESS')
  return (
    <g
      className={styles['edge']}
      data-taken={isTaken || undefined}
      data-selected={edge.selected || undefined}
      data-testid={`edge-${edge.id}`}
    >
      <BaseEdge id={edge.id} path={path} interactionWidth={22} className={styles['line'] ?? ''} />
      <g transform={`translate(${x} ${y})`} className={styles['mark']}>
        <circle r="10" />
        {/* The arrow of taking back. */}
        <path d="M-1.5 -4.5 L-4.5 -1.5 L-1.5 1.5 M-4.5 -1.5 H1.5 A3 3 0 0 1 1.5 4.5 H-0.5" />
      </g>
    </g>
  )
})
