/** Round times above what lies over time. Said by what lies there, not by the axis. */

import { clockWords } from '../../../ui/time-words.ts'
import styles from './Lanes.module.css'
import type { LaneSpan } from './lane-rows.ts'
import { ticksOf } from './lane-rows.ts'
import { shareText } from './share-text.ts'

export function TimeAxis({ span }: { readonly span: LaneSpan }) {
  return (
    <div className={styles['axis']} aria-hidden>
      {ticksOf(span).map((at) => (
        <time key={at} style={{ left: shareText(span, at) }}>
          {clockWords(at).slice(0, 8)}
        </time>
      ))}
    </div>
  )
}
