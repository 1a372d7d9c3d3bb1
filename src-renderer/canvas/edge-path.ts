/** The line of an edge, the same wherever one is drawn. */

import type { EdgeProps } from '@xyflow/react'
import { getBezierPath } from '@xyflow/react'

/** How far a line bends out of its ports; 0 is none. */
const curvature = 0.32

type Ends = Pick<
  EdgeProps,
  'sourceX' | 'sourceY' | 'sourcePosition' | 'targetX' | 'targetY' | 'targetPosition'
>

/**
 * The path, then x and y of its middle, in the canvas' own units. Ends are taken to a tenth: ports that are measured again, as
 * when a card comes into view, are off by less than a thousandth, and the line would be drawn anew for it.
 */
export function edgePath(edge: Ends): readonly [path: string, x: number, y: number] {
  const { sourcePosition, targetPosition } = edge
  const ends = {
    ...{ sourceX: tenth(edge.sourceX), sourceY: tenth(edge.sourceY), sourcePosition },
    ...{ targetX: tenth(edge.targetX), targetY: tenth(edge.targetY), targetPosition },
  }
  const [path, x, y] = getBezierPath({ ...ends, curvature })
  return [path, x, y]
}

const tenth = (length: number): number => Math.round(length * 10) / 10
