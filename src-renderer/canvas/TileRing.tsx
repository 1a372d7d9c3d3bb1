/** The ring around a card's icon: turns while running, fills while time passes, stands still when done. */

import { useEffect, useRef } from 'react'
import { wantsStillness } from '../ui/still.ts'
import { inTone } from './in-tone.ts'
import { beginTurning } from './live/crowd.ts'
import { leftOf } from './live/instruments.ts'
import type { NodeLook } from './node-look.ts'
import styles from './TaskNode.module.css'

/** As it is once its time is over. */
function drained(ring: SVGRectElement): () => void {
  ring.style.strokeDashoffset = '100'
  return () => {
    ring.style.strokeDashoffset = ''
  }
}

/** Animated by styles alone: a thousand of them cost no script. Among many at work they stand still (`live/crowd.ts`). */
export function TileRing({ look }: { readonly look: NodeLook }) {
  const ring = useRef<SVGRectElement>(null)
  const { clock } = look
  const until = clock.kind === 'until' ? clock.at : null
  const from = clock.kind === 'until' ? clock.from : 0
  const { isMoving, tone } = look.style
  useEffect(() => (isMoving ? beginTurning() : undefined), [isMoving])
  useEffect(() => {
    const element = ring.current
    if (element === null || until === null || wantsStillness()) return undefined
    const left = leftOf({ from, to: until }, Date.now())
    if (left === null) return drained(element)
    const begun = { strokeDashoffset: 100 - left.share * 100 }
    const animation = element.animate([begun, { strokeDashoffset: 100 }], {
      duration: left.leftMs,
      fill: 'forwards',
    })
    return () => animation.cancel()
  }, [until, from])
  return (
    <svg
      className={styles['ring']}
      viewBox="0 0 44 44"
      style={inTone(tone)}
      aria-hidden
      data-moving={isMoving || undefined}
    >
      <rect ref={ring} x="1.5" y="1.5" width="41" height="41" rx="11.5" pathLength="100" />
    </svg>
  )
}
