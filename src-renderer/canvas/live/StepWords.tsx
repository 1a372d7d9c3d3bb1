/** Under a card's state: whom the step lost on its way, and the last line that it wrote. */

import { Unplug } from 'lucide-react'
import { useRuns } from '../../state/context.ts'
import type { NodeRun } from '../../state/run-model.ts'
import { shownUntil } from '../../state/runs-store.ts'
import { instrumentWords as words } from '../../text/instrument-words.ts'
import { fill } from '../../text/messages.ts'
import styles from './Instruments.module.css'
import { shortRunner, toldOf } from './instruments.ts'

export function StepWords({ run }: { readonly run: NodeRun }) {
  const id = run.invocation?.id
  // Lines have no place among the events: at an earlier moment only what its tries kept is known.
  const live = useRuns(({ current }) =>
    current === null || id === undefined || shownUntil(current) !== Number.POSITIVE_INFINITY
      ? null
      : (current.liveLines.get(id) ?? null),
  )
  const { lost, line } = toldOf(run, live)
  if (lost === null && line === null) return null
  return (
    <div className={styles['words']}>
      {lost !== null && (
        <p className={styles['lost']} data-testid="step-lost">
          <Unplug size={12} aria-hidden />
          {fill(lost.by === null ? words.lost : words.takenOver, {
            runner: shortRunner(lost.runnerId),
            by: shortRunner(lost.by ?? ''),
            number: lost.number,
          })}
        </p>
      )}
      {line !== null && (
        <p
          className={styles['line']}
          data-bad={line.isBad || undefined}
          title={line.text}
          data-testid="last-line"
        >
          {line.text}
        </p>
      )}
    </div>
  )
}
