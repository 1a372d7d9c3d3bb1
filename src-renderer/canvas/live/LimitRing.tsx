/** Around a card's icon: while its step is at work how much of its time limit is used, else its state. */

import { useEffect, useRef } from 'react'
import type { NodeRun } from '../../state/run-model.ts'
import { useShownUntil } from '../../state/selectors.ts'
import { instrumentWords as words } from '../../text/instrument-words.ts'
import { fill } from '../../text/messages.ts'
import { wantsStillness } from '../../ui/still.ts'
import { clockWords } from '../../ui/time-words.ts'
import type { NodeLook } from '../node-look.ts'
import { TileRing } from '../TileRing.tsx'
import styles from './Instruments.module.css'
import type { Limit } from './instruments.ts'
import { limitOf, usedOf } from './instruments.ts'

export function LimitRing({ run, look }: { readonly run: NodeRun; readonly look: NodeLook }) {
  const until = useShownUntil()
  const limit = limitOf(run)
  if (limit === null) return <TileRing look={look} />
  return <Ring limit={limit} until={until} />
}

/** Driven by the compositor: a thousand of them cost no script. */
function Ring(props: { readonly limit: Limit; readonly until: number }) {
  const arc = useRef<SVGRectElement>(null)
  const { until } = props
  const { from, to } = props.limit
  useEffect(() => {
    const element = arc.current
    if (element === null) return undefined
    const isNow = until === Number.POSITIVE_INFINITY
    const used = usedOf({ from, to }, isNow ? Date.now() : until)
    const offset = { strokeDashoffset: 100 - used * 100 }
    const isStill = !isNow || wantsStillness()
    // The last fifth is the colour of a warning, from the moment it begins.
    const frames = [
      { ...offset, stroke: used < 0.8 ? 'var(--tone-active)' : 'var(--tone-wait)' },
      ...(used < 0.8
        ? [{ strokeDashoffset: 20, stroke: 'var(--tone-wait)', offset: (0.8 - used) / (1 - used) }]
        : []),
      { strokeDashoffset: 0, stroke: 'var(--tone-bad)' },
    ]
    const animation = element.animate(isStill ? [frames[0] ?? offset, frames[0] ?? offset] : frames, {
      duration: isStill ? 1 : Math.max(1, to - Date.now()),
      fill: 'forwards',
    })
    return () => animation.cancel()
  }, [from, to, until])
  return (
    <svg className={styles['limit']} viewBox="0 0 44 44" data-testid="limit-ring">
      <title>{fill(words.limit, { time: clockWords(to) })}</title>
      <rect x="1.5" y="1.5" width="41" height="41" rx="11.5" pathLength="100" className={styles['track']} />
      <rect ref={arc} x="1.5" y="1.5" width="41" height="41" rx="11.5" pathLength="100" />
    </svg>
  )
}
