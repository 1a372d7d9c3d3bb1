/** What lies under a card: what undoes its node, or why nothing can; it is there before anything runs. */

import { Pin, Undo2 } from 'lucide-react'
import { memo } from 'react'
import type { UndoMark } from './saga-flow.ts'
import styles from './UndoShadow.module.css'

export const UndoShadow = memo(function UndoShadow({
  mark,
  hasRun,
}: {
  readonly mark: UndoMark | null
  readonly hasRun: boolean
}) {
  if (mark === null || mark.way === 'none') return null
  const Icon = mark.way === 'impossible' ? Pin : Undo2
  return (
    <>
      {mark.way !== 'impossible' && <span className={styles['shadow']} aria-hidden />}
      {/* In a run, how the step fares stands in its place. */}
      {!hasRun && (
        <span className={styles['tab']} title={mark.hint} data-undo={mark.way} data-testid="undo-shadow">
          <Icon size={12} strokeWidth={2.2} aria-hidden />
          <span>{mark.what}</span>
        </span>
      )}
    </>
  )
})
