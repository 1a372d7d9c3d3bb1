/** A step that waits for a person, in the inspector: its approval, or the ways out of doubt. */

import type { ApprovalDecision } from '../../../src-engine/model/approval.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { decidedWords } from '../../approval/ApprovalFacts.tsx'
import { ApprovalForm } from '../../approval/ApprovalForm.tsx'
import { asksApproval } from '../../state/decision.ts'
import { clockWords } from '../../ui/time-words.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import { DecisionForm } from './DecisionForm.tsx'
import styles from './Inspector.module.css'

export function Question({ invocation }: { readonly invocation: InvocationRecord }) {
  return asksApproval(invocation) ? (
    <Approval invocation={invocation} />
  ) : (
    <DecisionForm invocation={invocation} />
  )
}

function Approval({ invocation: { runId, id } }: { readonly invocation: InvocationRecord }) {
  const { answer } = useLiveAnswer('approvals.show', { runId, invocationId: id })
  if (answer === null || answer.entry.kind !== 'approval') return null
  const { entry } = answer
  return (
    <section className={styles['asked']} aria-label={entry.title}>
      <h3>{entry.title}</h3>
      <ApprovalForm key={entry.hash} entry={entry} />
    </section>
  )
}

/** What was decided before it went on. */
export function Decided({ decision }: { readonly decision: ApprovalDecision }) {
  const comment = decision.comment?.kind === 'inline' ? textOf(decision.comment.json) : null
  return (
    <p className={styles['decided']} data-outcome={decision.outcome} data-testid="run-decided">
      {decidedWords({ outcome: decision.outcome, by: decision.by, comment })}
      <time>{clockWords(decision.at).slice(0, 8)}</time>
    </p>
  )
}

function textOf(json: string): string {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}
