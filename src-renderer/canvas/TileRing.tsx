/** The ring around a card's icon: turns while running, fills while time passes, stands still when done. */

import { useEffect, useRef } from 'react'
import { wantsStillness } from '../ui/still.ts'
import { beginTurning } from './live/crowd.ts'
import type { NodeLook } from './node-look.ts'
import styles from './TaskNode.module.css'

/** Animated by styles alone: a thousand of them cost no script. Among many at work they stand still (`live/crowd.ts`). */
export function TileRing({ look }: { readonly look: NodeLook }) {
  const ring = useRef<SVGRectElement>(null)
  const { clock } = look
  const until = clock.kind === 'until' ? clock.at : null
  const from = clock.kind === 'until' ? clock.from : 0
  const { isMoving } = look.style
  useEffect(() => (isMoving ? beginTurning() : undefined), [isMoving])
  useEffect(() => {
    const element = ring.current
    if (element === null || until === null || wantsStillness()) return undefined
    const left = Math.max(1, until - Date.now())
    const share = Math.min(1, Math.max(0, left / Math.max(left, until - from)))
    const animation = element.animate([{ strokeDashoffset: 100 - share * 100 }, { strokeDashoffset: 100 }], {
      duration: left,
      fill: 'forwards',
    })
    return () => animation.cancel()
  }, [until, from])
  return (
    <svg className={styles['ring']} viewBox="0 0 44 44" aria-hidden data-moving={isMoving || undefined}>
      <rect ref={ring} x="1.5" y="1.5" width="41" height="41" rx="11.5" pathLength="100" />
    </svg>
  )
}
