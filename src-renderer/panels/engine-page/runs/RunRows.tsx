/** The runs as rows: a press opens one on the canvas, marks say of which many things are asked. */

import { memo } from 'react'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { RunSummary } from '../../../../src-engine/protocol/api.ts'
import { beginningOf } from '../../../../src-engine/protocol/run-search.ts'
import { useDesigner } from '../../../state/context.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { runLook } from '../../../status/run-look.ts'
import { fill } from '../../../text/messages.ts'
import { beginningWords, runListWords as words } from '../../../text/run-list-words.ts'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { instantWords, spanWords } from '../../../ui/time-words.ts'
import { useClock, useSlowClock } from '../../../ui/use-clock.ts'
import { onListKey } from '../../runs/on-list-key.ts'
import type { MarkedRuns } from '../../runs/use-marked-runs.ts'
import styles from './RunsPage.module.css'
import type { Shown } from './shown-runs.ts'

export function RunRows({ shown, marks }: { readonly shown: Shown; readonly marks: MarkedRuns }) {
  return (
    <>
      <div className={styles['columns']} aria-hidden>
        {Object.entries(words.columns).map(([id, title]) => (
          <span key={id}>{title}</span>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its buttons */}
      <ul
        aria-label={words.page}
        data-testid="runs-rows"
        onKeyDown={(event) => onListKey(event, marks.markAll)}
      >
        {shown.rows.map((summary) => (
          <Row
            key={summary.run.id}
            summary={summary}
            hasLeft={shown.left.has(summary.run.id)}
            isMarked={marks.isMarked(summary.run.id)}
            onMark={marks.toggle}
          />
        ))}
      </ul>
    </>
  )
}

const Row = memo(function Row(props: {
  readonly summary: RunSummary
  readonly hasLeft: boolean
  readonly isMarked: boolean
  readonly onMark: (id: RunId, isRange: boolean) => void
}) {
  const { summary, hasLeft, isMarked, onMark } = props
  const designer = useDesigner()
  const { run, counts } = summary
  const today = useSlowClock()
  return (
    <li className={styles['item']} data-marked={isMarked || undefined} data-left={hasLeft || undefined}>
      <input
        type="checkbox"
        className={styles['mark']}
        aria-label={fill(words.mark, { title: run.workflowTitle })}
        data-testid={`runs-mark-${run.id}`}
        checked={isMarked}
        onChange={() => undefined}
        onClick={(event) => onMark(run.id, event.shiftKey)}
      />
      <button
        type="button"
        className={styles['row']}
        data-run
        data-testid="runs-row"
        data-status={run.status}
        title={hasLeft ? words.left : undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) onMark(run.id, event.shiftKey)
          else void showRunOf(designer, { runId: run.id, nodeId: null })
        }}
        onKeyDown={(event) => {
          if (event.key !== ' ') return
          event.preventDefault()
          onMark(run.id, event.shiftKey)
        }}
      >
        <StatusBadge style={runLook(run)} />
        <span className={styles['title']}>
          <b>{run.workflowTitle}</b>
          <code>{run.id}</code>
        </span>
        <span title={run.cause.detail ?? undefined}>{beginningWords[beginningOf(run)]}</span>
        <time title={new Date(run.createdAt).toLocaleString()}>{instantWords(run.createdAt, today)}</time>
        <Took run={run} />
        <span>{`${counts.done} of ${counts.total}`}</span>
        <span className={styles['error']} title={run.error?.message}>
          {run.error === null ? '' : run.error.message}
        </span>
      </button>
    </li>
  )
})

function Took({ run }: { readonly run: RunSummary['run'] }) {
  const now = useClock(run.finishedAt === null)
  if (run.startedAt === null) return <span>—</span>
  return <span>{spanWords((run.finishedAt ?? Math.max(now, run.startedAt)) - run.startedAt)}</span>
}
