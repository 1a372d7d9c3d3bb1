/** All runs, newest first: narrowed, counted, opened, and asked for many things at once. */

import { ListChecks, Play, SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useDesigner, useRunViews } from '../../../state/context.ts'
import { areSame, everyRun, searchOf } from '../../../state/run-views-store.ts'
import { bulkAll, fill } from '../../../text/messages.ts'
import { runListWords as words } from '../../../text/run-list-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState, WorkflowFirst } from '../../../ui/EmptyState.tsx'
import { BulkAllDialog } from '../../runs/BulkAllDialog.tsx'
import { BulkBar } from '../../runs/BulkBar.tsx'
import { useMarkedRuns } from '../../runs/use-marked-runs.ts'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { ColumnChoice } from './ColumnChoice.tsx'
import { FilterBar } from './FilterBar.tsx'
import { RunRows } from './RunRows.tsx'
import styles from './RunsPage.module.css'
import { RunViews } from './RunViews.tsx'
import { StatusStrip } from './StatusStrip.tsx'
import type { RunPage } from './use-run-page.ts'
import { useRunPage } from './use-run-page.ts'

export function RunsPage() {
  const filter = useRunViews((state) => state.filter)
  const found = useRunPage(filter)
  const rows = found.shown?.rows ?? []
  const marks = useMarkedRuns(rows)
  return (
    <div className={styles['page']} data-testid="runs-page">
      <header className={page['head']}>
        <h1>{words.page}</h1>
        <span className={styles['spring']} />
        <ColumnChoice />
        <ForAll />
      </header>
      <RunViews />
      <StatusStrip />
      <FilterBar rows={rows} />
      <Found found={found} marks={marks} />
      {marks.marked.length > 0 && (
        <div className={styles['bulk']}>
          <BulkBar marks={marks} />
        </div>
      )}
    </div>
  )
}

/** The rows, or why there are none. */
function Found(props: { readonly found: RunPage; readonly marks: ReturnType<typeof useMarkedRuns> }) {
  const { found, marks } = props
  const filter = useRunViews((state) => state.filter)
  const { shown, error, isLoading, older, refresh } = found
  if (shown === null) return <PageError error={error} />
  const { rows, next, fresh } = shown
  const isFiltered = !areSame(filter, everyRun)
  return (
    <>
      <PageError error={error} />
      {fresh > 0 && (
        <output className={styles['fresh']}>
          <Button isSmall kind="primary" testId="runs-fresh" onClick={refresh}>
            {fresh === 1 ? words.newOne : fill(words.newMany, { count: fresh })}
          </Button>
        </output>
      )}
      {rows.length === 0 ? (
        <NoRuns isLoading={isLoading} isFiltered={isFiltered} hasOlder={next !== null} />
      ) : (
        <RunRows shown={shown} marks={marks} />
      )}
      {next !== null && (
        <p className={page['foot']}>
          <Button isSmall testId="runs-older" disabled={isLoading} onClick={older}>
            {isLoading ? words.loading : words.older}
          </Button>
        </p>
      )}
    </>
  )
}

/** One wish for all that fit, whether they are loaded or not. */
function ForAll() {
  const designer = useDesigner()
  const filter = useRunViews((state) => state.filter)
  const [isAsking, setAsking] = useState(false)
  // Told from the moment in which the dialog opens.
  const search = useMemo(() => {
    return isAsking ? searchOf(filter, designer.ambient.now()) : null
  }, [designer, filter, isAsking])
  return (
    <>
      <Button isSmall icon={ListChecks} testId="runs-for-all" onClick={() => setAsking(true)}>
        {bulkAll.button}
      </Button>
      {search !== null && (
        <BulkAllDialog filter={search} words={words.whole} onClose={() => setAsking(false)} />
      )}
    </>
  )
}

function NoRuns(props: {
  readonly isLoading: boolean
  readonly isFiltered: boolean
  readonly hasOlder: boolean
}) {
  const { isLoading, isFiltered, hasOlder } = props
  const designer = useDesigner()
  if (isLoading)
    return (
      <p className={page['none']} data-testid="runs-none">
        {words.loading}
      </p>
    )
  const isSearch = isFiltered || hasOlder
  const text = hasOlder ? words.noneSoFar : isFiltered ? words.none : words.empty
  return (
    <EmptyState icon={isSearch ? SearchX : Play} text={text} testId="runs-none">
      {isFiltered && (
        <Button isSmall onClick={() => designer.runViews.getState().setFilter(everyRun)}>
          {words.clear}
        </Button>
      )}
      {!isSearch && <WorkflowFirst />}
    </EmptyState>
  )
}
