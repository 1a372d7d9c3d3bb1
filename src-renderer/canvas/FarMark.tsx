/** Tells the styles of cards how far away they are seen from. */

import { useStore } from '@xyflow/react'
import { zoomLevelAt } from './zoom-level.ts'

/** A mark on the page: what it hides keeps its room, so that nothing moves when the level changes. */
export function FarMark() {
  const level = useStore((state) => zoomLevelAt(state.transform[2]))
  const isFarthest = level === 'farthest' || level === 'speck'
  return (
    <i
      hidden
      data-zoom={level}
      data-far={level === 'far' || isFarthest || undefined}
      data-mid={level === 'mid' || undefined}
      data-farthest={isFarthest || undefined}
      data-speck={level === 'speck' || undefined}
    />
  )
}
