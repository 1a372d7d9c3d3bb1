/** The runs as rows: a press opens one on the canvas, marks say of which many things are asked. */

import type { CSSProperties, ReactNode } from 'react'
import { memo } from 'react'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { RunSummary } from '../../../../src-engine/protocol/api.ts'
import { beginningOf } from '../../../../src-engine/protocol/run-search.ts'
import { useDesigner, useRunViews } from '../../../state/context.ts'
import type { RunColumn } from '../../../state/run-views-store.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { runLook } from '../../../status/run-look.ts'
import { fill } from '../../../text/messages.ts'
import { beginningWords, runListWords as words } from '../../../text/run-list-words.ts'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { useRunTime, useSlowClock } from '../../../ui/use-clock.ts'
import { onListKey } from '../../runs/on-list-key.ts'
import type { MarkedRuns } from '../../runs/use-marked-runs.ts'
import styles from './RunsPage.module.css'
import type { Shown } from './shown-runs.ts'

type Column = keyof typeof words.columns

const widthOf: Readonly<Record<Column, string>> = {
  status: '112px',
  workflow: 'minmax(160px, 2fr)',
  began: '96px',
  created: '112px',
  took: '84px',
  steps: '64px',
  error: 'minmax(120px, 2fr)',
}
const columns = Object.keys(widthOf) as readonly Column[]

/** In their order. */
const shownColumns = (hidden: readonly RunColumn[]): readonly Column[] =>
  columns.filter((column) => !hidden.some((left) => left === column))

export function RunRows({ shown, marks }: { readonly shown: Shown; readonly marks: MarkedRuns }) {
  const hidden = useRunViews((state) => state.filter.hidden)
  const there = shownColumns(hidden)
  const grid = { '--run-columns': there.map((column) => widthOf[column]).join(' ') } as CSSProperties
  return (
    <div style={grid}>
      <div className={styles['columns']} aria-hidden>
        {there.map((column) => (
          <span key={column}>{words.columns[column]}</span>
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
            hidden={hidden}
            onMark={marks.toggle}
          />
        ))}
      </ul>
    </div>
  )
}

const Row = memo(function Row(props: {
  readonly summary: RunSummary
  readonly hasLeft: boolean
  readonly isMarked: boolean
  readonly hidden: readonly RunColumn[]
  readonly onMark: (id: RunId, isRange: boolean) => void
}) {
  const { summary, hasLeft, isMarked, hidden, onMark } = props
  const designer = useDesigner()
  const { run } = summary
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
        {shownColumns(hidden).map((column) => {
          const Content = cells[column]
          return <Content key={column} summary={summary} />
        })}
      </button>
    </li>
  )
})

type Cell = (props: { readonly summary: RunSummary }) => ReactNode

const cells: Readonly<Record<Column, Cell>> = {
  status: ({ summary: { run } }) => <StatusBadge style={runLook(run)} />,
  workflow: ({ summary: { run } }) => (
    <span className={styles['title']}>
      <b>{run.workflowTitle}</b>
      <code>{run.id}</code>
    </span>
  ),
  began: ({ summary: { run } }) => (
    <span data-wide title={run.cause.detail ?? undefined}>
      {beginningWords[beginningOf(run)]}
    </span>
  ),
  created: Created,
  took: Took,
  steps: ({ summary: { counts } }) => <span data-wide>{`${counts.done} of ${counts.total}`}</span>,
  error: ({ summary: { run } }) => (
    <span data-wide className={styles['error']} title={run.error?.message}>
      {run.error === null ? '' : run.error.message}
    </span>
  ),
}

function Created({ summary: { run } }: { readonly summary: RunSummary }) {
  const today = useSlowClock()
  return <time title={new Date(run.createdAt).toLocaleString()}>{instantWords(run.createdAt, today)}</time>
}

function Took({ summary: { run } }: { readonly summary: RunSummary }) {
  const took = useRunTime(run)
  return <span data-wide>{run.startedAt === null ? '—' : took}</span>
}
