/** How long the claim of a step still lasts: it drains, and comes back with each renewal. */

import { useEffect, useRef } from 'react'
import { useLeases } from '../../state/context.ts'
import type { KnownLease } from '../../state/leases-store.ts'
import { instrumentWords as words } from '../../text/instrument-words.ts'
import { fill } from '../../text/messages.ts'
import { wantsStillness } from '../../ui/still.ts'
import { spanWords } from '../../ui/time-words.ts'
import styles from './Instruments.module.css'
import { shortRunner } from './instruments.ts'

/** Renewals come after a quarter of the time: with less than this left one is late. */
const lateShare = 0.5

export function LeaseBar({ id }: { readonly id: string }) {
  const lease = useLeases(({ byId }) => byId.get(id) ?? null)
  return lease === null ? null : <Bar key={lease.at} lease={lease} />
}

function Bar({ lease }: { readonly lease: KnownLease }) {
  const bar = useRef<HTMLElement>(null)
  const { leftMs, fullMs, runnerId } = lease
  const share = fullMs === 0 ? 0 : leftMs / fullMs
  useEffect(() => {
    const element = bar.current
    if (element === null || wantsStillness()) return undefined
    const from = { transform: `scaleX(${share})` }
    const animation = element.animate([from, { transform: 'scaleX(0)' }], {
      duration: Math.max(1, leftMs),
      fill: 'forwards',
    })
    return () => animation.cancel()
  }, [share, leftMs])
  const said = fill(words.lease, { runner: shortRunner(runnerId), left: spanWords(leftMs) })
  return (
    <span
      className={styles['lease']}
      data-late={share < lateShare || undefined}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn by styles
      role="img"
      aria-label={said}
      title={said}
      data-testid="lease"
    >
      <i ref={bar} style={{ transform: `scaleX(${share})` }} />
    </span>
  )
}
