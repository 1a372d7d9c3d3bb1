/** Results that the output policy holds back: why, what was found, and what a person decides about them. */

import { ShieldCheck } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import { pageSizeMax } from '../../../../src-engine/model/limits.ts'
import type { QuarantineEntry } from '../../../../src-engine/protocol/quarantine.ts'
import { fill } from '../../../text/messages.ts'
import { quarantine as words } from '../../../text/quarantine-words.ts'
import { instantWords } from '../../../ui/time-words.ts'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import split from '../dead-letters/DeadLetters.module.css'
import { PageError } from '../PageError.tsx'
import { placeAfter } from '../place-after.ts'
import { QuarantineDetail } from './QuarantineDetail.tsx'

const query = { workflowId: null, runId: null, after: null, limit: pageSizeMax }

export function QuarantinePage() {
  const { answer, error, refresh } = useLiveAnswer('quarantine.list', query)
  const policy = useAnswer('outputPolicy.get', {})
  const [chosenId, setChosenId] = useState<string | null>(null)
  if (answer === null) return <PageError error={error} />
  const { entries } = answer
  if (entries.length === 0) {
    return (
      <div className={split['empty']} data-testid="quarantine-empty">
        <ShieldCheck size={28} strokeWidth={1.5} aria-hidden />
        <p>{words.empty}</p>
        {policy?.setting === false && <p>{words.off}</p>}
      </div>
    )
  }
  const chosen = entries.find(({ invocationId }) => invocationId === chosenId) ?? entries[0]
  return (
    <div className={split['split']}>
      <section className={split['side']} aria-label={words.page}>
        <List entries={entries} chosen={chosen} onChoose={setChosenId} />
        <footer className={split['foot']}>
          <span>{entries.length === 1 ? words.one : fill(words.many, { count: entries.length })}</span>
        </footer>
      </section>
      {chosen !== undefined && <QuarantineDetail key={chosen.invocationId} entry={chosen} onDone={refresh} />}
    </div>
  )
}

function List(props: {
  readonly entries: readonly QuarantineEntry[]
  readonly chosen: QuarantineEntry | undefined
  readonly onChoose: (id: string) => void
}) {
  const { entries, chosen, onChoose } = props
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = entries.findIndex((entry) => entry === chosen)
    const next = entries[placeAfter(event.key, at, entries.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    onChoose(next.invocationId)
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its rows hold more than a line of text
      role="listbox"
      tabIndex={0}
      aria-label={words.list}
      aria-activedescendant={chosen === undefined ? undefined : `held-${chosen.invocationId}`}
      className={split['list']}
      data-testid="quarantine-list"
      onKeyDown={onKeyDown}
    >
      {entries.map((entry) => (
        <Row key={entry.invocationId} entry={entry} isChosen={entry === chosen} onChoose={onChoose} />
      ))}
    </div>
  )
}

function Row(props: {
  readonly entry: QuarantineEntry
  readonly isChosen: boolean
  readonly onChoose: (id: string) => void
}) {
  const { entry, isChosen, onChoose } = props
  const now = useSlowClock()
  return (
    // The keys are the list's; a row is chosen by a click or by going there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`held-${entry.invocationId}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see the list
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={split['row']}
      data-testid="quarantine-row"
      onClick={() => onChoose(entry.invocationId)}
    >
      <span className={split['top']}>
        <b>{entry.workflowTitle}</b>
        <time title={new Date(entry.at).toLocaleString()}>{instantWords(entry.at, now)}</time>
      </span>
      <span
        className={split['reason']}
      >{`${words.decisions[entry.decision]} · ${words.severity[entry.severity]}`}</span>
      <span className={split['message']}>{entry.reason}</span>
    </div>
  )
}
