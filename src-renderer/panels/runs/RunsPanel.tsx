/** The runs, newest first: one click opens a run on the canvas, marks say of which many things are asked. */

import { ListChecks, Play, SearchX } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { workflowId as toWorkflowId } from '../../../src-engine/model/ids.ts'
import type { RunSummary } from '../../../src-engine/protocol/api.ts'
import { useDesigner, useDocument, useRuns } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'
import { filterRuns, loadMoreRuns } from '../../state/follow-runs.ts'
import { openRun } from '../../state/open-run.ts'
import { runLook } from '../../status/run-look.ts'
import { PulledRuns } from '../../teleport/PulledRuns.tsx'
import { bulkAll, empty } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { EmptyState, RunFirst } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { instantWords } from '../../ui/time-words.ts'
import { useRunTime, useSlowClock } from '../../ui/use-clock.ts'
import { BulkAllDialog } from './BulkAllDialog.tsx'
import { BulkBar } from './BulkBar.tsx'
import { onListKey } from './on-list-key.ts'
import styles from './RunsPanel.module.css'
import { runFilters } from './run-filters.ts'
import { progressPart, progressWords } from './run-progress.ts'
import { useMarkedRuns } from './use-marked-runs.ts'

export function RunsPanel() {
  const designer = useDesigner()
  const list = useRuns((state) => state.list)
  const isLoaded = useRuns((state) => state.isListLoaded)
  const hasMore = useRuns((state) => state.hasMore)
  const statuses = useRuns((state) => state.listStatuses)
  const currentId = useRuns((state) => state.current?.runId ?? null)
  const marks = useMarkedRuns(list)
  const workflow = useRuns((state) => state.listWorkflow)
  if (isLoaded && list.length === 0 && statuses === null && workflow === null)
    return (
      <>
        <PulledRuns />
        <EmptyState icon={Play} text={empty.runs}>
          <RunFirst />
        </EmptyState>
      </>
    )
  return (
    <div className={styles['panel']}>
      <Filter />
      {marks.marked.length > 0 && <BulkBar marks={marks} />}
      <div className={styles['scroll']}>
        <PulledRuns />
        {isLoaded && list.length === 0 && <EmptyState icon={SearchX} text={empty.filteredRuns} />}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its buttons */}
        <ul
          className={styles['list']}
          data-testid="runs-list"
          data-marking={marks.marked.length > 0 || undefined}
          aria-label="Runs"
          onKeyDown={(event) => onListKey(event, marks.markAll)}
        >
          {list.map((summary) => (
            <Row
              key={summary.run.id}
              summary={summary}
              isCurrent={summary.run.id === currentId}
              isMarked={marks.isMarked(summary.run.id)}
              onMark={marks.toggle}
            />
          ))}
        </ul>
        {hasMore && (
          <Button kind="quiet" isSmall onClick={() => void attempt(designer, () => loadMoreRuns(designer))}>
            Older runs
          </Button>
        )}
      </div>
    </div>
  )
}

function Filter() {
  const designer = useDesigner()
  const statuses = useRuns((state) => state.listStatuses)
  const workflowId = useRuns((state) => state.listWorkflow)
  const open = useDocument((state) => (state.isOpen ? state.history.document.id : null))
  const filter = useMemo(() => ({ statuses, workflowId }), [statuses, workflowId])
  const [isAsking, setAsking] = useState(false)
  const current = runFilters.find((one) => one.statuses === statuses) ?? runFilters[0]
  const words = [current?.title ?? '', workflowId === null ? '' : bulkAll.thisWorkflow]
  return (
    <div className={styles['filter']}>
      <select
        className={controls['field']}
        aria-label="Which runs"
        data-testid="runs-filter"
        value={current?.id}
        onChange={(event) => {
          const chosen = runFilters.find(({ id }) => id === event.currentTarget.value)
          void filterRuns(designer, { ...filter, statuses: chosen?.statuses ?? null })
        }}
      >
        {runFilters.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      <IconButton
        icon={ListChecks}
        label={bulkAll.button}
        data-testid="bulk-all-button"
        onClick={() => setAsking(true)}
      />
      {(open !== null || workflowId !== null) && (
        <select
          className={controls['field']}
          aria-label="Of which workflow"
          data-testid="runs-workflow"
          value={workflowId ?? ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value
            void filterRuns(designer, { ...filter, workflowId: chosen === '' ? null : toWorkflowId(chosen) })
          }}
        >
          <option value="">{bulkAll.anyWorkflow}</option>
          {/* Another one may be open by now than the list was narrowed to. */}
          <option value={workflowId ?? open ?? ''}>{bulkAll.thisWorkflow}</option>
        </select>
      )}
      {isAsking && (
        <BulkAllDialog
          filter={filter}
          words={words
            .filter((word) => word !== '')
            .join(', ')
            .toLowerCase()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

const Row = memo(function Row(props: {
  readonly summary: RunSummary
  readonly isCurrent: boolean
  readonly isMarked: boolean
  readonly onMark: (id: RunId, isRange: boolean) => void
}) {
  const { summary, isCurrent, isMarked, onMark } = props
  const designer = useDesigner()
  const { run, counts } = summary
  const style = runLook(run)
  const took = useRunTime(run)
  const today = useSlowClock()
  return (
    <li className={styles['item']} data-marked={isMarked || undefined}>
      <input
        type="checkbox"
        className={styles['mark']}
        aria-label={`Mark the run of ${run.workflowTitle}`}
        data-testid={`run-mark-${run.id}`}
        tabIndex={-1}
        checked={isMarked}
        onChange={() => undefined}
        onClick={(event) => onMark(run.id, event.shiftKey)}
      />
      <button
        type="button"
        className={styles['row']}
        data-run
        data-testid={`run-row-${run.id}`}
        data-status={run.status}
        aria-current={isCurrent}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) onMark(run.id, event.shiftKey)
          else
            void attempt(designer, () =>
              openRun(designer, { runId: run.id, site: designer.cluster, hash: run.definitionHash }),
            )
        }}
        onKeyDown={(event) => {
          if (event.key !== ' ') return
          event.preventDefault()
          onMark(run.id, event.shiftKey)
        }}
      >
        <span className={styles['top']}>
          <StatusBadge style={style} />
          <time title={new Date(run.createdAt).toLocaleString()}>{instantWords(run.createdAt, today)}</time>
        </span>
        <span className={styles['title']}>{run.workflowTitle}</span>
        <span className={styles['bottom']}>
          <span>{progressWords(run.status, counts)}</span>
          {run.startedAt !== null && <span className={styles['took']}>{took}</span>}
        </span>
        <span className={styles['track']} aria-hidden>
          <i data-tone={style.tone} style={{ width: `${progressPart(run.status, counts) * 100}%` }} />
        </span>
      </button>
    </li>
  )
})
