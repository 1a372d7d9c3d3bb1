/** The runs that belong together: who started the shown one, and what its steps started, to any depth. */

import { ChevronRight, Network, Play } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { pageSizeMax } from '../../../src-engine/model/limits.ts'
import type { ChildOfRun, FamilyRun } from '../../../src-engine/protocol/run-family.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { showRunOf } from '../../state/show-run.ts'
import { shownSite } from '../../state/site-lines.ts'
import { runStyle } from '../../status/status-style.ts'
import { empty, family, fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, RunFirst } from '../../ui/EmptyState.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { instantWords } from '../../ui/time-words.ts'
import { useRunTime, useSlowClock } from '../../ui/use-clock.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './FamilyPanel.module.css'

/** What is shown of a generation until more is asked for. */
const pageSize = 25

export function FamilyPanel() {
  const runId = useRuns((state) => state.current?.runId ?? null)
  if (runId === null)
    return (
      <EmptyState icon={Play} text={empty.noRun}>
        <RunFirst />
      </EmptyState>
    )
  return <Family key={runId} runId={runId} />
}

function Family({ runId }: { readonly runId: RunId }) {
  const { answer } = useLiveAnswer('runs.family', { runId, after: null, limit: 1 })
  if (answer === null) return null
  const line = [...answer.ancestors, answer.run]
  const [oldest] = line
  if (oldest === undefined) return null
  if (line.length === 1 && answer.total === 0) {
    return <EmptyState icon={Network} text={family.alone} />
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its buttons
    <ul className={styles['tree']} aria-label={family.title} data-testid="family" onKeyDown={onTreeKey}>
      <Branch run={oldest} step={null} line={line.map(({ id }) => id)} shown={runId} />
    </ul>
  )
}

interface BranchProps {
  readonly run: FamilyRun
  /** The step that started it, as it is called in its run; null at the top. */
  readonly step: string | null
  /** From the oldest run to the shown one: its branches are open from the start. */
  readonly line: readonly RunId[]
  readonly shown: RunId
}

function Branch({ run, step, line, shown }: BranchProps) {
  const [isOpen, setOpen] = useState(line.includes(run.id))
  return (
    <li>
      <div className={styles['row']} data-current={run.id === shown || undefined}>
        <button
          type="button"
          className={styles['fold']}
          aria-expanded={isOpen}
          aria-label={fill(family.children, { title: run.workflowTitle })}
          data-fold
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden />
        </button>
        <RunButton run={run} step={step} isShown={run.id === shown} />
      </div>
      {isOpen && <Children of={run.id} line={line} shown={shown} />}
    </li>
  )
}

function Children({ of, line, shown }: { readonly of: RunId } & Pick<BranchProps, 'line' | 'shown'>) {
  const [limit, setLimit] = useState(pageSize)
  const { answer } = useLiveAnswer('runs.family', { runId: of, after: null, limit })
  if (answer === null) return null
  const { children, total } = answer
  if (total === 0) return <p className={styles['leaf']}>{family.noChildren}</p>
  return (
    <ul>
      {children.map((child) =>
        child.run === null ? (
          <li key={child.invocationId} className={styles['leaf']}>
            {fill(family.gone, { step: stepName(child) })}
          </li>
        ) : (
          <Branch key={child.runId} run={child.run} step={stepName(child)} line={line} shown={shown} />
        ),
      )}
      {total > children.length && (
        <li className={styles['leaf']}>
          {fill(family.more, { count: total - children.length })}
          {limit < pageSizeMax && (
            <Button
              isSmall
              kind="quiet"
              testId="family-more"
              onClick={() => setLimit(Math.min(pageSizeMax, limit + pageSize))}
            >
              Show more
            </Button>
          )}
        </li>
      )}
    </ul>
  )
}

function RunButton(props: {
  readonly run: FamilyRun
  readonly step: string | null
  readonly isShown: boolean
}) {
  const { run, step, isShown } = props
  const designer = useDesigner()
  const today = useSlowClock()
  const took = useRunTime(run)
  const { createdAt } = run
  return (
    <button
      type="button"
      className={styles['run']}
      aria-current={isShown}
      data-testid={`family-${run.id}`}
      onClick={() => void showRunOf(designer, { runId: run.id, nodeId: null, site: shownSite(designer) })}
    >
      <StatusBadge style={runStyle[run.status]} />
      <b>{run.workflowTitle}</b>
      {step !== null && <span>{fill(family.by, { step })}</span>}
      <time title={new Date(createdAt).toLocaleString()}>{instantWords(createdAt, today)}</time>
      <time>{took}</time>
    </button>
  )
}

/** `bill`, or `bill, each 3` for a step inside of a map or loop. */
function stepName({ nodeId, path }: Pick<ChildOfRun, 'nodeId' | 'path'>): string {
  const turns = path === '' ? [] : path.split('/')
  return [
    nodeId,
    ...turns.map((turn) => turn.replace(/:(\d+)$/, (_, index) => ` ${Number(index) + 1}`)),
  ].join(', ')
}

/** Up and down go from run to run; right and left open and close what it started. */
function onTreeKey(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button[aria-current]')]
  const row = document.activeElement?.closest('li')
  const own = row?.querySelector<HTMLElement>('button[aria-current]')
  if (row === null || row === undefined || own === null || own === undefined) return
  const fold = row.querySelector<HTMLElement>('[data-fold]')
  const isOpen = fold?.getAttribute('aria-expanded') === 'true'
  const at = buttons.indexOf(own)
  if (event.key === 'ArrowDown') buttons[at + 1]?.focus()
  else if (event.key === 'ArrowUp') buttons[at - 1]?.focus()
  else if (event.key === 'ArrowRight' && !isOpen) fold?.click()
  else if (event.key === 'ArrowLeft' && isOpen) fold?.click()
  else return
  event.preventDefault()
}
