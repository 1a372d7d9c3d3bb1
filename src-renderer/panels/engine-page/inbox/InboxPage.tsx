/** What waits for a person, across all runs: a list, and the chosen entry with what is to be decided. */

import { MailCheck, ShieldQuestion, Stamp, Workflow } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import type { InboxEntry } from '../../../../src-engine/protocol/approvals.ts'
import { ApprovalForm } from '../../../approval/ApprovalForm.tsx'
import { useDesigner, useInbox } from '../../../state/context.ts'
import { titleOfEntry } from '../../../state/follow-inbox.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { approvals as words } from '../../../text/approval-words.ts'
import { fill } from '../../../text/messages.ts'
import { Button } from '../../../ui/Button.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import { DecisionForm } from '../../inspector/DecisionForm.tsx'
import split from '../dead-letters/DeadLetters.module.css'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { placeAfter } from '../place-after.ts'

export function InboxPage() {
  const entries = useInbox((state) => state.entries)
  const isLoaded = useInbox((state) => state.isLoaded)
  const hasMore = useInbox((state) => state.hasMore)
  const error = useInbox((state) => state.error)
  const [chosenId, setChosenId] = useState<string | null>(null)
  if (!isLoaded) return <PageError error={error} />
  if (entries.length === 0) {
    return (
      <div className={split['empty']} data-testid="inbox-empty">
        <MailCheck size={28} strokeWidth={1.5} aria-hidden />
        <p>{words.empty}</p>
      </div>
    )
  }
  const chosen = entries.find(({ invocationId }) => invocationId === chosenId) ?? entries[0]
  return (
    <div className={split['split']}>
      <section className={split['side']} aria-label={words.page}>
        <List entries={entries} chosen={chosen} onChoose={setChosenId} />
        <footer className={split['foot']}>
          <span>
            {hasMore
              ? fill(words.more, { count: entries.length })
              : entries.length === 1
                ? words.one
                : fill(words.many, { count: entries.length })}
          </span>
        </footer>
      </section>
      {chosen !== undefined && <Detail key={keyOf(chosen)} entry={chosen} />}
    </div>
  )
}

/** Asked about anew, it is another question: what was written about the one before counts no more. */
const keyOf = (entry: InboxEntry): string =>
  entry.kind === 'approval' ? `${entry.invocationId} ${entry.hash}` : entry.invocationId

function List(props: {
  readonly entries: readonly InboxEntry[]
  readonly chosen: InboxEntry | undefined
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
      aria-activedescendant={chosen === undefined ? undefined : `inbox-${chosen.invocationId}`}
      className={split['list']}
      data-testid="inbox-list"
      onKeyDown={onKeyDown}
    >
      {entries.map((entry) => (
        <Row key={entry.invocationId} entry={entry} isChosen={entry === chosen} onChoose={onChoose} />
      ))}
    </div>
  )
}

function Row(props: {
  readonly entry: InboxEntry
  readonly isChosen: boolean
  readonly onChoose: (id: string) => void
}) {
  const { entry, isChosen, onChoose } = props
  const now = useSlowClock()
  const isUrgent = entry.kind === 'approval' && entry.escalatedAt !== null
  return (
    // The keys are the list's; a row is chosen by a click or by going there.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`inbox-${entry.invocationId}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see the list
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={split['row']}
      data-testid="inbox-row"
      onClick={() => onChoose(entry.invocationId)}
    >
      <span className={split['top']}>
        <b>{titleOfEntry(entry)}</b>
        <time title={new Date(entry.requestedAt).toLocaleString()}>
          {instantWords(entry.requestedAt, now)}
        </time>
      </span>
      <span className={split['asks']} data-urgent={isUrgent || undefined}>
        {`${askWords(entry)}${isUrgent ? ` · ${words.urgent}` : ''}`}
      </span>
      <span className={split['message']}>{entry.workflowTitle}</span>
    </div>
  )
}

function askWords(entry: InboxEntry): string {
  if (entry.kind === 'effect') return words.effect
  return entry.for === 'policy' ? words.policy : words.approval
}

function Detail({ entry }: { readonly entry: InboxEntry }) {
  const designer = useDesigner()
  const { runId, nodeId, invocationId } = entry
  const Icon = entry.kind === 'effect' ? ShieldQuestion : Stamp
  return (
    <article className={split['detail']} data-testid="inbox-detail" aria-label={titleOfEntry(entry)}>
      <header>
        <div className={page['titled']}>
          <Icon size={18} aria-hidden />
          <h1>{titleOfEntry(entry)}</h1>
        </div>
        <p className={page['words']}>{`${entry.workflowTitle} · ${entry.nodeTitle}`}</p>
        <div className={split['buttons']}>
          <Button
            icon={Workflow}
            testId="inbox-open-run"
            onClick={() => void showRunOf(designer, { runId, nodeId, invocationId })}
          >
            {words.openRun}
          </Button>
        </div>
      </header>
      {entry.kind === 'approval' ? (
        <ApprovalForm entry={entry} />
      ) : (
        <DecisionForm invocation={{ runId, id: invocationId }} />
      )}
    </article>
  )
}
