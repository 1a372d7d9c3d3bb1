/** The strip under a card: icon and word of the status, attempts, time, and the reason when there is one. */

import { useShownUntil } from '../state/selectors.ts'
import { drawnIcon } from '../ui/drawn-icon.ts'
import { goingWords, isNow, leftWords, shownAt, spanWords } from '../ui/time-words.ts'
import { useClockWords } from '../ui/use-clock.ts'
import { inTone } from './in-tone.ts'
import { isBustling, useCountedChange } from './live/bustle.ts'
import styles from './NodeState.module.css'
import type { NodeLook } from './node-look.ts'

/** More than these become a number. */
const pipsMax = 6

export function NodeState({ look }: { readonly look: NodeLook }) {
  const { icon, label, tone, isMoving } = look.style
  useCountedChange(label)
  const why = look.verdict?.why ?? null
  const isSaid = why !== null && why !== look.reason
  const failed = look.pips.filter((pip) => pip === 'failed' || pip === 'lost').length
  return (
    <div
      className={styles['state']}
      style={inTone(tone)}
      data-tone={tone}
      title={[look.reason ?? label, ...(isSaid ? [why] : [])].join('\n')}
    >
      {drawnIcon(icon, {
        ...{ size: 13, strokeWidth: 2.2, 'aria-hidden': true },
        ...(isMoving ? { className: styles['turning'] } : {}),
      })}
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
  const until = useShownUntil()
  const isGoing = clock.kind === 'since' || clock.kind === 'until'
  const words = useClockWords(isGoing && isNow(until), (now) => clockWords(clock, shownAt(now, until)))
  return clock.kind === 'none' ? null : <time>{words}</time>
}

function clockWords(clock: NodeLook['clock'], now: number): string {
  // Among many that change at once nobody reads tenths.
  const tenths = isBustling() ? ([0] as const) : ([] as const)
  switch (clock.kind) {
    case 'none':
      return ''
    case 'took':
      return spanWords(clock.ms)
    case 'since':
      return goingWords(clock.at, now, ...tenths)
    default:
      return `in ${leftWords(clock.at, now, ...tenths)}`
  }
}
