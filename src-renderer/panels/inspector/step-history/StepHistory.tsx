/** What became of a step, move by move, with who had it: each leads to its moment. */

import { useEffect, useMemo, useState } from 'react'
import type { InvocationId } from '../../../../src-engine/model/ids.ts'
import { useDesigner, useRuns } from '../../../state/context.ts'
import { openTimeline } from '../../../state/follow-runs.ts'
import { shownUntilPosition } from '../../../state/runs-store.ts'
import { showInstant } from '../../../state/show-instant.ts'
import { invocationStyle } from '../../../status/status-style.ts'
import { actorWords, stepHistoryWords as words } from '../../../text/history-of-step-words.ts'
import { fill } from '../../../text/messages.ts'
import { clockWords, spanWords } from '../../../ui/time-words.ts'
import styles from './StepHistory.module.css'
import type { StepMove } from './step-moves.ts'
import { movesOf } from './step-moves.ts'

export function StepHistory({ id }: { readonly id: InvocationId }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={styles['history']}
      data-testid="step-history"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{words.title}</summary>
      {isOpen && <Moves id={id} />}
    </details>
  )
}

function Moves({ id }: { readonly id: InvocationId }) {
  const designer = useDesigner()
  const runId = useRuns(({ current }) => current?.runId ?? null)
  const events = useRuns(({ current }) => current?.timeline?.events ?? null)
  // What wasn't read yet comes with the next look: reading all of a long run at once would be felt.
  const until = useRuns(({ current }) =>
    current === null ? 0 : Math.min(shownUntilPosition(current), current.timeline?.read ?? 0),
  )
  // The events of a run are read only by those who look at them.
  useEffect(() => (runId === null ? undefined : openTimeline(designer)), [designer, runId])
  const moves = useMemo(
    () => (events === null ? [] : movesOf(events.slice(0, until), id)),
    [events, until, id],
  )
  if (moves.length === 0) return <p className={styles['none']}>{words.loading}</p>
  return (
    <ol>
      {moves.map((move) => (
        <Move
          key={move.seq}
          move={move}
          onGo={() => runId !== null && showInstant(designer, { runId, seq: move.seq })}
        />
      ))}
    </ol>
  )
}

function Move({ move, onGo }: { readonly move: StepMove; readonly onGo: () => void }) {
  const { at, status, by, owner, isNewOwner, cause, attempt, lasted } = move
  const { label, tone } = invocationStyle[status]
  const who = by.id === null || by.kind === 'run' ? actorWords[by.kind] : by.id
  return (
    <li data-tone={tone} data-owned={owner !== null || undefined}>
      <button type="button" onClick={onGo} title={words.goTo}>
        <time>{clockWords(at)}</time>
        <b>{label}</b>
        {lasted !== null && <small>{fill(words.lasted, { span: spanWords(lasted) })}</small>}
      </button>
      <p>
        {who}
        {cause.detail !== null && cause.detail !== '' && !/^[[{]/.test(cause.detail) && `: ${cause.detail}`}
        {attempt > 1 && status === 'RUNNING' && `, ${fill(words.try, { number: String(attempt) })}`}
        {isNewOwner && owner !== who && (
          <>
            {', '}
            {words.owner} <code>{owner}</code>
          </>
        )}
      </p>
    </li>
  )
}
