/** Who has, or had, a say about a step, and why: people, the policy, the output policy. Pure. */

import type { ApprovalDecision, ApprovalWait } from '../../src-engine/model/approval.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { Payload } from '../../src-engine/model/payload.ts'
import { fill } from '../text/messages.ts'
import { verdict as words } from '../text/verdict-words.ts'

export interface Verdict {
  /** `asks Anna, Ben`, `rule “no-friday”`, `rejected by Carla`; null when nobody is known. */
  readonly who: string | null
  /** In the words of who said it; null for none. */
  readonly why: string | null
}

/** What a card tells of decisions about its step; null while nobody had to say anything. */
export function verdictOf(record: InvocationRecord): Verdict | null {
  const { status, wait, dispatch, waitReason, finishedAt } = record
  if (status === 'APPROVAL_REQUIRED') return wait?.kind === 'approval' ? asked(record, wait) : null
  const decision = dispatch?.approval ?? null
  if (status === 'OUTPUT_QUARANTINED') {
    const check = dispatch?.check ?? null
    return check === null ? null : { who: ruleWords(check.rule), why: textOrNull(check.reason) }
  }
  if (status === 'DENIED') return denied(record, decision)
  if (finishedAt === null) return waitReason?.code.startsWith('safety_') ? ruled(record) : null
  // Only what a person said is told of a step that went on: what a rule allowed needs no word.
  return decision === null ? null : { who: decidedWords(decision), why: textOf(decision.comment) }
}

function asked(record: InvocationRecord, wait: ApprovalWait): Verdict {
  const { approvers } = wait
  const who =
    approvers.length === 0
      ? wait.otherPerson
        ? words.asksOther
        : words.asksAnybody
      : fill(words.asks, { who: approvers.join(', ') })
  if (wait.for === 'policy') return { who, why: ruled(record)?.why ?? null }
  return { who, why: titleOf(wait.shown) }
}

/** A rejection is told by who rejected; everything else that denies is a rule. */
function denied(record: InvocationRecord, decision: ApprovalDecision | null): Verdict {
  const code = record.error?.code
  const isByPerson = code === 'approval_rejected' || code === 'approval_expired'
  if (isByPerson && decision !== null)
    return { who: decidedWords(decision), why: textOf(decision.comment) ?? titleOf(decision.shown) }
  return ruled(record) ?? { who: null, why: record.error?.message ?? null }
}

function ruled({ dispatch }: InvocationRecord): Verdict | null {
  const ruling = dispatch?.policy ?? null
  if (ruling === null) return null
  return { who: ruleWords(ruling.ruleId), why: textOrNull(ruling.reason) }
}

const ruleWords = (rule: string | null): string | null => (rule === null ? null : fill(words.rule, { rule }))

const decidedWords = ({ outcome, by }: ApprovalDecision): string =>
  by === null ? words.outcome[outcome] : fill(words.by, { outcome: words.outcome[outcome], who: by })

/** What was shown to who decides; only short texts lie in the record itself. */
function titleOf(shown: Payload): string | null {
  if (shown.kind !== 'inline') return null
  const { title } = JSON.parse(shown.json) as { readonly title?: unknown }
  return typeof title === 'string' ? textOrNull(title) : null
}

function textOf(payload: Payload | null): string | null {
  if (payload?.kind !== 'inline') return null
  const value: unknown = JSON.parse(payload.json)
  return typeof value === 'string' ? textOrNull(value) : null
}

const textOrNull = (text: string): string | null => (text === '' ? null : text)
