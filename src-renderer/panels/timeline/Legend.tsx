/** What the patterns of the timeline mean. */

import { shownPhases } from '../../state/phases.ts'
import { phaseWords, timelineWords as words } from '../../text/timeline-words.ts'
import styles from './TimelinePanel.module.css'

export function Legend() {
  return (
    <ul className={styles['legend']} aria-label={words.legend}>
      {shownPhases.map((phase) => (
        <li key={phase}>
          <i data-phase={phase} aria-hidden /> {phaseWords[phase]}
        </li>
      ))}
    </ul>
  )
}
