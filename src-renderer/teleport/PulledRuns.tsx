/** The copies of clusters' runs that are here, those that were brought last first. */

import type { PulledRun } from '../../src-engine/model/pulled-run.ts'
import styles from '../panels/runs/RunsPanel.module.css'
import { LineContext, useDesigner, useRuns } from '../state/context.ts'
import { showRunOf } from '../state/show-run.ts'
import { lineTo } from '../state/site-lines.ts'
import { runStyle } from '../status/status-style.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { instantWords } from '../ui/time-words.ts'
import { useClock } from '../ui/use-clock.ts'
import { useLiveAnswer } from '../ui/use-live-answer.ts'

/** Nothing while there is none; and not below the band of a cluster, for copies are this computer's. */
export function PulledRuns() {
  const designer = useDesigner()
  if (designer.cluster !== null) return null
  return (
    <LineContext value={lineTo(designer, null)}>
      <List />
    </LineContext>
  )
}

function List() {
  const { answer } = useLiveAnswer('teleport.list', {})
  const runs = answer?.runs ?? []
  if (runs.length === 0) return null
  return (
    <section className={styles['copies']} aria-label={words.listTitle} data-testid="pulled-list">
      <h3>{words.listTitle}</h3>
      <ul className={styles['list']}>
        {runs.map((run) => (
          <Row key={run.runId} run={run} />
        ))}
      </ul>
    </section>
  )
}

function Row({ run: { runId, workflowTitle, status, origin } }: { readonly run: PulledRun }) {
  const designer = useDesigner()
  const now = useClock(false)
  const isCurrent = useRuns(({ current }) => current?.runId === runId)
  return (
    <li className={styles['item']}>
      <button
        type="button"
        className={styles['row']}
        data-testid={`pulled-row-${runId}`}
        aria-current={isCurrent}
        onClick={() => void showRunOf(designer, { runId, nodeId: null, site: null })}
      >
        <span className={styles['top']}>
          <StatusBadge style={runStyle[status]} />
          <time>{instantWords(origin.pulledAt, now)}</time>
        </span>
        <span className={styles['title']}>{workflowTitle}</span>
        <span className={styles['bottom']}>{origin.cluster}</span>
      </button>
    </li>
  )
}
