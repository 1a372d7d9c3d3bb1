/** What was undone of the shown run, in its order, what was left behind, and what can be done. */

import { Undo2 } from 'lucide-react'
import { useMemo } from 'react'
import { useRuns } from '../../state/context.ts'
import type { Staying, UndoEntry } from '../../state/rollback.ts'
import { rollbackOf, stayingSteps, undoEntries } from '../../state/rollback.ts'
import type { RunModel } from '../../state/run-model.ts'
import { shownModel } from '../../state/runs-store.ts'
import { rollback as words } from '../../text/saga-words.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { clockWords } from '../../ui/time-words.ts'
import { CoverageView } from './CoverageView.tsx'
import { NodeLink } from './NodeLink.tsx'
import { EntryActions, WholeActions } from './RollbackActions.tsx'
import styles from './RollbackPanel.module.css'
import { entryStyle, stayingWords } from './rollback-words.ts'
import { useSagaEffects } from './use-coverage.ts'

export function RollbackPanel() {
  // At the moment of the playhead, like everything else that is shown of a run.
  const model = useRuns(({ current }) => (current === null ? null : shownModel(current)))
  return model === null ? <CoverageView /> : <Shown model={model} />
}

function Shown({ model }: { readonly model: RunModel }) {
  const { effects } = useSagaEffects()
  const entries = useMemo(() => undoEntries(model), [model])
  const staying = useMemo(() => stayingSteps(model, effects), [model, effects])
  const hasBegun = rollbackOf(model) !== null
  if (entries.length + staying.length === 0) return <EmptyState icon={Undo2} text={words.nothing} />
  return (
    <div className={styles['panel']} data-testid="rollback">
      <header className={styles['head']}>
        <p>{hasBegun ? words.lead : words.before}</p>
        <WholeActions model={model} />
      </header>
      <ol className={styles['list']} aria-label={words.order}>
        {entries.map((entry) => (
          <Entry key={entry.undo.id} entry={entry} />
        ))}
      </ol>
      {staying.length > 0 && <Left list={staying} hasBegun={hasBegun} />}
    </div>
  )
}

function Entry({ entry: { undo, phase, attempts } }: { readonly entry: UndoEntry }) {
  const { nodeId, path, error, finishedAt } = undo
  return (
    <li className={styles['entry']} data-state={phase} data-testid={`undo-entry-${nodeId}`}>
      <StatusBadge style={entryStyle(phase)} />
      <NodeLink id={nodeId} />
      <span className={styles['facts']}>
        {path !== '' && <code>{path}</code>}
        {attempts > 1 && <span>{`${attempts} attempts`}</span>}
        {error !== null && phase !== 'done' && <span className={styles['error']}>{error.message}</span>}
      </span>
      <span className={styles['end']}>
        {phase === 'failed' && <EntryActions undo={undo} />}
        {finishedAt !== null && <time>{clockWords(finishedAt).slice(0, 8)}</time>}
      </span>
    </li>
  )
}

function Left({ list, hasBegun }: { readonly list: readonly Staying[]; readonly hasBegun: boolean }) {
  return (
    <section className={styles['left']} aria-label={words.leftTitle} data-testid="left-behind">
      <h3>{hasBegun ? words.leftTitle : words.wouldStay}</h3>
      <ul>
        {list.map((one) => (
          <li key={`${one.nodeId} ${one.path}`} data-reason={one.why}>
            <NodeLink id={one.nodeId} />
            <span>{stayingWords(one)}</span>
            {one.path !== '' && <small>{one.path}</small>}
          </li>
        ))}
      </ul>
    </section>
  )
}
