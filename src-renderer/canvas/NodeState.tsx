/** The strip under a card: icon and word of the status, attempts, time, and the reason when there is one. */

import { spanWords } from '../ui/time-words.ts'
import { useClock } from '../ui/use-clock.ts'
import { useCountedChange } from './live/bustle.ts'
import styles from './NodeState.module.css'
import type { NodeLook } from './node-look.ts'

/** More than these become a number. */
const pipsMax = 6

export function NodeState({ look }: { readonly look: NodeLook }) {
  const { icon: Icon, label, tone, isMoving } = look.style
  useCountedChange(label)
  const why = look.verdict?.why ?? null
  const isSaid = why !== null && why !== look.reason
  const failed = look.pips.filter((pip) => pip === 'failed' || pip === 'lost').length
  return (
    <div
      className={styles['state']}
      data-tone={tone}
      title={[look.reason ?? label, ...(isSaid ? [why] : [])].join('\n')}
    >
      <Icon size={13} strokeWidth={2.2} aria-hidden className={isMoving ? styles['turning'] : undefined} />
      <span className={styles['word']}>{label}</span>
      {look.reason !== null && <span className={styles['reason']}>{look.reason}</span>}
      <span className={styles['gauges']}>
        {look.turns !== null && <span data-testid="turns">{look.turns}</span>}
        {failed > 0 && <Pips pips={look.pips} />}
        <Clock clock={look.clock} />
      </span>
      {isSaid && (
        <span className={styles['why']} data-testid="node-why">
          {why}
        </span>
      )}
    </div>
  )
}

function Pips({ pips }: Pick<NodeLook, 'pips'>) {
  if (pips.length > pipsMax) return <span>{`×${pips.length}`}</span>
  return (
    <span
      className={styles['pips']}
      aria-label={`${pips.length} attempts`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn by styles
      role="img"
    >
      {pips.map((pip, index) => (
        // Attempts only ever grow at the end.
        <i key={index} data-pip={pip} />
      ))}
    </span>
  )
}

function Clock({ clock }: Pick<NodeLook, 'clock'>) {
  const now = useClock(clock.kind === 'since' || clock.kind === 'until')
  switch (clock.kind) {
    case 'none':
      return null
    case 'took':
      return <time>{spanWords(clock.ms)}</time>
    case 'since':
      return <time>{spanWords(Math.max(0, now - clock.at))}</time>
    default:
      return <time>{`in ${spanWords(Math.max(0, clock.at - now))}`}</time>
  }
}
