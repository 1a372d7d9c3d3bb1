/** What the bars of the runners' lanes mean. */

import { outcomeWords, laneWords as words } from '../../../text/lane-words.ts'
import styles from './Lanes.module.css'

/** Each outcome that a bar can have, in the order in which their words stand. */
const shown = Object.entries(outcomeWords)

export function LaneLegend() {
  return (
    <ul className={styles['legend']} aria-label={words.legend}>
      {shown.map(([outcome, text]) => (
        <li key={outcome}>
          <i className={styles['swatch']} data-outcome={outcome} aria-hidden /> {text}
        </li>
      ))}
    </ul>
  )
}
