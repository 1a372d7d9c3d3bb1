/** An edge in the picture of a difference; its class says what became of it. */

import type { EdgeProps } from '@xyflow/react'
import { BaseEdge, getBezierPath } from '@xyflow/react'
import { memo } from 'react'
import type { FlowEdge } from '../to-flow.ts'

export const DiffEdge = memo(function DiffEdge(edge: EdgeProps<FlowEdge>) {
  const { id, sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition } = edge
  const [path] = getBezierPath({
    sourceX,
    sourceY,
    sourcePosition,
    targetX,
    targetY,
    targetPosition,
    curvature: 0.32,
  })
  return <BaseEdge id={id} path={path} interactionWidth={0} />
})
