/** The runs, newest first; one click opens a run on the canvas. */

import { memo } from 'react'
import type { RunSummary } from '../../../src-engine/protocol/api.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'
import { loadMoreRuns, openRun } from '../../state/follow-runs.ts'
import { runStyle } from '../../status/status-style.ts'
import { empty } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { instantWords, spanWords } from '../../ui/time-words.ts'
import { useClock, useSlowClock } from '../../ui/use-clock.ts'
import styles from './RunsPanel.module.css'

export function RunsPanel() {
  const designer = useDesigner()
  const list = useRuns((state) => state.list)
  const isLoaded = useRuns((state) => state.isListLoaded)
  const hasMore = useRuns((state) => state.hasMore)
  const currentId = useRuns((state) => state.current?.runId ?? null)
  if (isLoaded && list.length === 0) return <p className={styles['none']}>{empty.runs}</p>
  return (
    <div className={styles['scroll']}>
      <ul className={styles['list']} data-testid="runs-list" aria-label="Runs">
        {list.map((summary) => (
          <Row key={summary.run.id} summary={summary} isCurrent={summary.run.id === currentId} />
        ))}
      </ul>
      {hasMore && (
        <button
          type="button"
          className={controls['button']}
          data-kind="quiet"
          data-size="small"
          onClick={() => void attempt(designer, () => loadMoreRuns(designer))}
        >
          Older runs
        </button>
      )}
    </div>
  )
}

const Row = memo(function Row({
  summary,
  isCurrent,
}: {
  readonly summary: RunSummary
  readonly isCurrent: boolean
}) {
  const designer = useDesigner()
  const { run, counts } = summary
  const style = runStyle[run.status]
  const now = useClock(run.finishedAt === null)
  const today = useSlowClock()
  const took =
    run.startedAt === null ? null : (run.finishedAt ?? Math.max(now, run.startedAt)) - run.startedAt
  return (
    <li>
      <button
        type="button"
        className={styles['row']}
        data-testid={`run-row-${run.id}`}
        data-status={run.status}
        aria-current={isCurrent}
        onClick={() => void attempt(designer, () => openRun(designer, run.id, run.definitionHash))}
      >
        <span className={styles['top']}>
          <StatusBadge style={style} />
          <time title={new Date(run.createdAt).toLocaleString()}>{instantWords(run.createdAt, today)}</time>
        </span>
        <span className={styles['title']}>{run.workflowTitle}</span>
        <span className={styles['bottom']}>
          <span>
            {`${counts.done} of ${counts.total} done`}
            {counts.failed > 0 ? `, ${counts.failed} failed` : ''}
          </span>
          {took !== null && <span className={styles['took']}>{spanWords(took)}</span>}
        </span>
        <span className={styles['track']} aria-hidden>
          <i
            data-tone={style.tone}
            style={{ width: `${counts.total === 0 ? 0 : (counts.done / counts.total) * 100}%` }}
          />
        </span>
      </button>
    </li>
  )
})
