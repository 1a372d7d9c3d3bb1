/** What the bars of the runners' lanes mean. */

import { outcomeWords, laneWords as words } from '../../../text/lane-words.ts'
import styles from './Lanes.module.css'

const shown = [
  'at-work',
  'succeeded',
  'failed',
  'timed-out',
  'cancelled',
  'parked',
  'lost',
  'handed-back',
] as const

export function LaneLegend() {
  return (
    <ul className={styles['legend']} aria-label={words.legend}>
      {shown.map((outcome) => (
        <li key={outcome}>
          <i className={styles['swatch']} data-outcome={outcome} aria-hidden /> {outcomeWords[outcome]}
        </li>
      ))}
    </ul>
  )
}
