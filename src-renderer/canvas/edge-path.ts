/** The line of an edge, the same wherever one is drawn. */

import type { EdgeProps } from '@xyflow/react'
import { getBezierPath } from '@xyflow/react'

/** How far a line bends out of its ports; 0 is none. */
const curvature = 0.32

/** The path, then x and y of its middle, in the canvas' own units. */
export function edgePath(edge: EdgeProps): readonly [path: string, x: number, y: number] {
  const { sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition } = edge
  const ends = { sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition }
  const [path, x, y] = getBezierPath({ ...ends, curvature })
  return [path, x, y]
}
