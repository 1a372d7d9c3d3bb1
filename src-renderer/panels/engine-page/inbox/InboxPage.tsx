/** What waits for a person, across all runs: a list, and the chosen entry with what is to be decided. */

import { MailCheck, ShieldQuestion, Stamp, Workflow } from 'lucide-react'
import { useState } from 'react'
import type { InboxEntry } from '../../../../src-engine/protocol/approvals.ts'
import { titleOfEntry } from '../../../../src-engine/protocol/notices.ts'
import { ApprovalForm } from '../../../approval/ApprovalForm.tsx'
import { useDesigner, useInbox } from '../../../state/context.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { approvals as words } from '../../../text/approval-words.ts'
import { fill } from '../../../text/messages.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { DecisionForm } from '../../inspector/DecisionForm.tsx'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { RowTop } from '../split/RowTop.tsx'
import { SplitList } from '../split/SplitList.tsx'
import split from '../split/SplitPage.module.css'
import { SplitPage } from '../split/SplitPage.tsx'
import { NoticeChoice } from './NoticeChoice.tsx'

export function InboxPage() {
  const entries = useInbox((state) => state.entries)
  const isLoaded = useInbox((state) => state.isLoaded)
  const hasMore = useInbox((state) => state.hasMore)
  const error = useInbox((state) => state.error)
  const [chosenId, setChosenId] = useState<string | null>(null)
  if (!isLoaded) return <PageError error={error} />
  if (entries.length === 0) {
    return (
      <EmptyState icon={MailCheck} text={words.empty} testId="inbox-empty">
        <NoticeChoice />
      </EmptyState>
    )
  }
  const chosen = entries.find((entry) => idOf(entry) === chosenId) ?? entries[0] ?? null
  const count = entries.length === 1 ? words.one : fill(words.many, { count: entries.length })
  return (
    <SplitPage
      label={words.page}
      list={
        <SplitList
          label={words.list}
          name="inbox"
          entries={entries}
          chosen={chosen}
          idOf={idOf}
          onChoose={setChosenId}
          Row={Row}
        />
      }
      foot={
        <>
          <span>{hasMore ? fill(words.more, { count: entries.length }) : count}</span>
          <NoticeChoice />
        </>
      }
    >
      {chosen !== null && <Detail key={keyOf(chosen)} entry={chosen} />}
    </SplitPage>
  )
}

const idOf = ({ invocationId }: InboxEntry): string => invocationId

/** Asked about anew, it is another question: what was written about the one before counts no more. */
const keyOf = (entry: InboxEntry): string =>
  entry.kind === 'approval' ? `${entry.invocationId} ${entry.hash}` : entry.invocationId

function Row({ entry }: { readonly entry: InboxEntry }) {
  const isUrgent = entry.kind === 'approval' && entry.escalatedAt !== null
  return (
    <>
      <RowTop title={titleOfEntry(entry)} at={entry.requestedAt} />
      <span className={split['asks']} data-urgent={isUrgent || undefined}>
        {`${askWords(entry)}${isUrgent ? ` · ${words.urgent}` : ''}`}
      </span>
      <span className={split['message']}>{entry.workflowTitle}</span>
    </>
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
