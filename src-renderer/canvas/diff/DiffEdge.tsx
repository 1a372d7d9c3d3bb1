/** An edge in the picture of a difference; its class says what became of it. */

import type { EdgeProps } from '@xyflow/react'
import { BaseEdge } from '@xyflow/react'
import { memo } from 'react'
import { edgePath } from '../edge-path.ts'
import type { FlowEdge } from '../to-flow.ts'

export const DiffEdge = memo(function DiffEdge(edge: EdgeProps<FlowEdge>) {
  const [path] = edgePath(edge)
  return <BaseEdge id={edge.id} path={path} interactionWidth={0} />
})
