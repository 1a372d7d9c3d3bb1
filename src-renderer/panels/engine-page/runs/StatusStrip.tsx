/** How many runs there are in each state, as the engine keeps count; a press narrows the list to it. */

import type { RunStatus } from '../../../../src-engine/model/run-status.ts'
import { runStatuses } from '../../../../src-engine/model/run-status.ts'
import { useDesigner, useRunViews } from '../../../state/context.ts'
import { runStyle } from '../../../status/status-style.ts'
import { runListWords as words } from '../../../text/run-list-words.ts'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import styles from './RunsPage.module.css'

export function StatusStrip() {
  const designer = useDesigner()
  const filter = useRunViews((state) => state.filter)
  const { answer } = useLiveAnswer('runs.counts', { workflowId: filter.workflowId })
  const counts = answer?.counts ?? {}
  const chosen = filter.statuses ?? []
  const toggle = (status: RunStatus): void => {
    const next = chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status]
    designer.runViews.getState().setFilter({ ...filter, statuses: next.length === 0 ? null : next })
  }
  return (
    <fieldset className={styles['strip']} data-testid="runs-strip">
      <legend className="visually-hidden">{words.states}</legend>
      {runStatuses
        .filter((status) => (counts[status] ?? 0) > 0 || chosen.includes(status))
        .map((status) => (
          <button
            key={status}
            type="button"
            className={styles['state']}
            data-testid={`runs-state-${status}`}
            aria-pressed={chosen.includes(status)}
            onClick={() => toggle(status)}
          >
            <StatusBadge style={{ ...runStyle[status], isMoving: false }} />
            <b>{(counts[status] ?? 0).toLocaleString('en-GB')}</b>
          </button>
        ))}
    </fieldset>
  )
}
