/** What a verdict does to the step that it is about, or to the step that stands before its run. */

import { errorRecord } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { PolicyRuling } from '../../model/policy/ruling.ts'
import { bypassedTag, policyCause } from '../../model/policy/ruling.ts'
import { requireApproval } from '../approvals/ask.ts'
import { dispatchWith } from '../control/hold.ts'
import type { Draft } from '../draft.ts'
import { moveInvocation, nodeOf, recordOf, touchInvocation } from '../draft.ts'
import { failFinally } from '../fail-finally.ts'
import type { Verdict } from './verdict.ts'

/** Notes what was said, and keeps from going on what may not; whether it may. */
export function applyVerdict(draft: Draft, record: InvocationRecord, verdict: Verdict): boolean {
  if (verdict.kind === 'goes') return goesOn(draft, record, verdict.ruling)
  if (verdict.kind === 'stopping') {
    if (record.status === 'PENDING') handBackUnbegun(draft, record)
    return false
  }
  withhold(draft, record, verdict)
  return false
}

/** Whoever claimed it stops before it began: others have it at once. */
function handBackUnbegun(draft: Draft, record: InvocationRecord): void {
  moveInvocation(draft, record.id, { to: 'KILLED' })
  moveInvocation(draft, record.id, { to: 'REROUTED' })
}

function goesOn(draft: Draft, record: InvocationRecord, ruling: PolicyRuling): boolean {
  const { constraints } = ruling
  const retries = constraints?.maxRetries
  if (retries !== undefined && record.failureCount > retries) {
    const message = `“${record.nodeId}” failed ${record.failureCount} times; the policy allows ${retries} retries.`
    const error = errorRecord('max_retries_exceeded', { message, details: detailsOf(record, ruling) })
    const back = stepBack(draft, record, ruling)
    failFinally(draft, back, { node: nodeOf(draft, back), set: { error }, attempt: null, final: 'FAILED' })
    return false
  }
  // A plain allowance leaves no trace of its own, but it ends what an earlier answer left.
  const isPlain = constraints === null && ruling.bypassed === undefined
  if (isPlain && (record.dispatch?.policy ?? null) === null) return true
  const tags =
    ruling.bypassed === undefined || record.tags.includes(bypassedTag)
      ? {}
      : { tags: [...record.tags, bypassedTag] }
  within(draft, ruling, () => {
    touchInvocation(draft, record.id, { dispatch: dispatchWith(record, { policy: ruling }), ...tags })
  })
  return true
}

type Withheld = Extract<Verdict, { readonly kind: 'denied' | 'parks' | 'asks' | 'waits' }>

function withhold(draft: Draft, record: InvocationRecord, verdict: Withheld): void {
  const { ruling } = verdict
  within(draft, ruling, () => {
    const back = stepBack(draft, record, ruling)
    if (verdict.kind === 'asks') {
      requireApproval(draft, back, verdict.request)
    } else if (verdict.kind === 'waits') {
      const message = ruling.reason
      touchInvocation(draft, back.id, {
        notBefore: draft.context.now + verdict.delayMs,
        waitReason: { code: verdict.code, message },
      })
    } else {
      const isDenied = verdict.kind === 'denied'
      const message = isDenied
        ? `The policy denies “${record.nodeId}”: ${ruling.reason}`
        : `Nobody could say whether “${record.nodeId}” may be undone: ${ruling.reason}`
      const error = errorRecord(verdict.code, { message, details: detailsOf(record, ruling) })
      const final = isDenied ? 'DENIED' : 'FAILED'
      failFinally(draft, back, { node: nodeOf(draft, back), set: { error }, attempt: null, final })
    }
  })
}

/** Gives the claim back, where there is one, and keeps what was said. */
function stepBack(draft: Draft, record: InvocationRecord, ruling: PolicyRuling): InvocationRecord {
  // Waiting for an answer is no dispatch: its timeout counts anew from the next claim.
  const dispatch = dispatchWith(record, { policy: ruling, firstClaimedAt: null })
  if (record.status === 'PENDING') {
    return moveInvocation(draft, record.id, { to: 'REROUTED', set: { dispatch } })
  }
  touchInvocation(draft, record.id, { dispatch })
  return recordOf(draft, record.id) ?? record
}

const detailsOf = ({ nodeId }: InvocationRecord, { ruleId, snapshot, reason }: PolicyRuling) => ({
  nodeId,
  ruleId,
  snapshot,
  reason,
})

/** What happens in it is the policy's doing. */
function within(draft: Draft, { ruleId, decision }: PolicyRuling, act: () => void): void {
  const { context } = draft
  draft.context = { ...context, cause: { kind: policyCause, by: ruleId, detail: decision } }
  act()
  draft.context = context
}
