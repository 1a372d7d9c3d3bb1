/** Tells the styles of cards how far away they are seen from. */

import { useStore } from '@xyflow/react'

/** Below this the second line of a card can't be read. */
const farZoom = 0.5
/** Below this even the title needs all of the card. */
const farthestZoom = 0.37
/** Below this its words are drawn a little larger. */
const midZoom = 0.8

/** Far away, cards show their title only, larger: a mark on the page tells their styles so. */
export function FarMark() {
  const isFar = useStore((state) => state.transform[2] < farZoom)
  const isMid = useStore((state) => state.transform[2] < midZoom)
  const isFarthest = useStore((state) => state.transform[2] < farthestZoom)
  return (
    <i
      hidden
      data-far={isFar || undefined}
      data-mid={(isMid && !isFar) || undefined}
      data-farthest={isFarthest || undefined}
    />
  )
}
