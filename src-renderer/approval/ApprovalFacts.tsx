/** Who may decide, until when, and what was decided. */

import { Fragment } from 'react'
import type { ApprovalNotice } from '../../src-engine/model/approval.ts'
import type { ApprovalView, DecidedView } from '../../src-engine/protocol/approvals.ts'
import facts from '../panels/inspector/Inspector.module.css'
import { approvals as words } from '../text/approval-words.ts'
import { fill } from '../text/messages.ts'
import { instantWords, momentWords, spanWords } from '../ui/time-words.ts'
import { useSlowClock } from '../ui/use-clock.ts'
import styles from './Approval.module.css'

export function ApprovalFacts({ entry }: { readonly entry: ApprovalView }) {
  const now = useSlowClock()
  const { requestedAt, escalateAt, escalatedAt, startedBy, decided } = entry
  return (
    <dl className={facts['facts']}>
      <dt>{words.asked}</dt>
      <dd>
        <time title={new Date(requestedAt).toISOString()}>{instantWords(requestedAt, now)}</time>
        {entry.revision > 1 && ` — ${words.again}`}
      </dd>
      {decided === null && (
        <>
          <dt>Until</dt>
          <dd data-testid="approval-expiry">{untilWords(entry, now)}</dd>
        </>
      )}
      {decided === null && escalatedAt === null && escalateAt !== null && (
        <>
          <dt>Urgent</dt>
          <dd>{fill(words.urgentAt, { when: whenWords(escalateAt, now) })}</dd>
        </>
      )}
      {entry.notices.map((notice) => (
        <Fragment key={notice.occasion}>
          <dt>{words.mail}</dt>
          <dd
            data-testid="approval-mail"
            className={notice.error === null ? undefined : styles['untold']}
            title={new Date(notice.at).toISOString()}
          >
            {mailWords(notice)}
          </dd>
        </Fragment>
      ))}
      <dt>{words.approvers}</dt>
      <dd>{approverWords(entry)}</dd>
      {startedBy !== null && (
        <>
          <dt>{words.startedBy}</dt>
          <dd>{startedBy}</dd>
        </>
      )}
      {decided !== null && (
        <>
          <dt>Decision</dt>
          <dd data-testid="approval-decided">{decidedWords(decided)}</dd>
        </>
      )}
    </dl>
  )
}

/** Whether a mail went out, and why it didn't. Pure. */
export function mailWords({ occasion, to, error, isOver }: ApprovalNotice): string {
  if (error === null) return fill(words.mailSent[occasion], { to })
  const why = `${error.message} ${isOver ? error.hint : words.mailAgain}`.trim()
  return to === '' ? fill(words.mailUnwritten, { why }) : fill(words.mailFailed, { to, why })
}

/** What was decided, by whom, and what they said. Pure. */
export function decidedWords({
  outcome,
  by,
  comment,
}: Pick<DecidedView, 'outcome' | 'by' | 'comment'>): string {
  const said = comment === null ? '' : `: “${comment}”`
  if (outcome === 'expired') return `${words.decided.expired}${said}`
  return `${fill(words.by, { outcome: words.decided[outcome], who: by ?? words.somebody })}${said}`
}

/** When it ends by itself, and as what. Pure. */
export function untilWords(
  { expiresAt, onExpiry }: Pick<ApprovalView, 'expiresAt' | 'onExpiry'>,
  now: number,
): string {
  if (expiresAt === null) return words.noEnd
  if (expiresAt <= now) return words.overdue
  return fill(words.expires[onExpiry], { when: whenWords(expiresAt, now) })
}

const dayMs = 86_400_000

const whenWords = (at: number, now: number): string =>
  at - now < dayMs ? `in ${spanWords(Math.max(0, at - now))}` : `on ${momentWords(at)}`

function approverWords({ approvers, otherPerson, startedBy }: ApprovalView): string {
  const who = approvers.length === 0 ? words.everybody : approvers.join(', ')
  if (!otherPerson) return who
  return `${who} — ${fill(words.otherPerson, { who: startedBy ?? words.whoStarted })}`
}
