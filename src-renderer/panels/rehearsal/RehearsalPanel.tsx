/** What happens when steps go wrong, tried before anything runs: the matrix, and the picked cell. */

import { CircleX, Drama, LoaderCircle, ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { commandOf, runCommand } from '../../commands/registry.ts'
import { useDesigner, useDocument, useRehearsal } from '../../state/context.ts'
import type { RehearsalPhase } from '../../state/rehearsal-store.ts'
import { isSameRehearsal } from '../../state/rehearse.ts'
import { fill } from '../../text/messages.ts'
import { rehearsalWords as words } from '../../text/rehearsal-words.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useEnabled } from '../../ui/use-enabled.ts'
import { CellDetail } from './CellDetail.tsx'
import styles from './Rehearsal.module.css'
import { RehearsalMatrix } from './RehearsalMatrix.tsx'
import { calmWords, rowsOf, summaryOf } from './rehearsal-matrix.ts'
import { useTitles } from './use-titles.ts'

export function RehearsalPanel() {
  const id = useDocument(({ history }) => history.document.id)
  const phase = useRehearsal((state) => state.phase)
  // Of a workflow that is not open any more nothing is said.
  if (phase === null || phase.document.id !== id) return <Empty />
  if (phase.status === 'done') return <Done phase={phase} />
  return phase.status === 'running' ? <UnderWay /> : <Failed phase={phase} />
}

function UnderWay() {
  return (
    <output className={styles['none']} data-testid="rehearsal-running">
      <LoaderCircle size={20} className={styles['turning']} aria-hidden />
      <p>{words.underWay}</p>
    </output>
  )
}

function Failed({ phase: { error } }: { readonly phase: RehearsalPhase & { status: 'failed' } }) {
  return (
    <EmptyState
      icon={CircleX}
      text={`${words.failed} ${error.message} ${error.hint}`}
      tone="bad"
      testId="rehearsal-failed"
    >
      <RehearseButton label={words.again} />
    </EmptyState>
  )
}

function Empty() {
  return (
    <EmptyState icon={Drama} text={`${words.empty} ${words.emptyHint}`} testId="rehearsal-empty">
      <RehearseButton label={words.rehearse} />
    </EmptyState>
  )
}

function RehearseButton({ label }: { readonly label: string }) {
  const designer = useDesigner()
  const mayRehearse = useEnabled(commandOf('run.rehearse'))
  return (
    <Button
      isSmall
      icon={Drama}
      testId="rehearse"
      disabled={!mayRehearse}
      onClick={() => runCommand(designer, 'run.rehearse')}
    >
      {label}
    </Button>
  )
}

function Done({ phase: { document, result } }: { readonly phase: RehearsalPhase & { status: 'done' } }) {
  const titlesOf = useTitles(document)
  const isEdited = useDocument(({ history }) => !isSameRehearsal(history.document, document))
  const picked = useRehearsal((state) => state.picked)
  const cell = result.cells.find(({ nodeId, mode }) => nodeId === picked?.nodeId && mode === picked.mode)
  const rows = rowsOf(result)
  const calm = calmWords(result.calm, titlesOf)
  const isSound = result.violations === 0
  const Icon = isSound ? ShieldCheck : ShieldAlert
  return (
    <div className={styles['panel']} data-testid="rehearsal">
      <header className={styles['head']}>
        <Icon size={15} aria-hidden data-tone={isSound ? 'good' : 'bad'} />
        <div className={styles['summary']} data-testid="rehearsal-summary">
          <b>{rows.length === 0 ? words.nothing : summaryOf(result)}</b>
          {isEdited && <Remark>{words.edited}</Remark>}
          {calm !== null && <Remark>{calm}</Remark>}
          {result.unreached.length > 0 && (
            <Remark>{fill(words.unreached, { titles: titlesOf(result.unreached) })}</Remark>
          )}
          {result.mocked.length > 0 && <span>{fill(words.mocked, { titles: titlesOf(result.mocked) })}</span>}
        </div>
        <RehearseButton label={words.again} />
      </header>
      {rows.length > 0 && (
        <div className={styles['halves']}>
          <RehearsalMatrix rows={rows} document={document} picked={picked} />
          {cell !== undefined && <CellDetail cell={cell} document={document} />}
        </div>
      )}
    </div>
  )
}

/** Something to know before the matrix is believed. */
function Remark({ children }: { readonly children: ReactNode }) {
  return (
    <span data-tone="wait">
      <TriangleAlert size={12} aria-hidden /> {children}
    </span>
  )
}
