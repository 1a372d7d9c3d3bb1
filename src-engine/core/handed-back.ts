/** Ends of attempts that somebody else wanted: who was asked to stop, and who gives its work back. */

import type { AttemptRecord } from '../model/attempt.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import { endSkipped, isSkipAsked } from './control/skip.ts'
import type { Draft } from './draft.ts'
import { moveInvocation, nodeOf } from './draft.ts'
import { askAPerson, failFinally, propagateEnd } from './fail-finally.ts'
import { isTimeoutAsked, timeoutError } from './reconcile/timeout-request.ts'
import { inDoubt } from './verify.ts'

/** It ended because it was asked to: by a timeout, a skip, or a cancel. */
export function endAsked(
  draft: Draft,
  record: InvocationRecord,
  /** Without the attempt where its end is recorded already. */
  { input, attempt }: { readonly input: Payload | null; readonly attempt: AttemptRecord | null },
): void {
  const ended = attempt === null ? {} : { attempt }
  if (isTimeoutAsked(record)) {
    const set = { error: timeoutError(record, record.waitReason), input }
    failFinally(draft, record, { node: nodeOf(draft, record), set, attempt, final: 'TIMEOUT' })
    return
  }
  if (isSkipAsked(record)) endSkipped(draft, record, { set: { input }, ...ended })
  else {
    moveInvocation(draft, record.id, {
      to: 'CANCELLED',
      cause: { kind: 'cancel', by: draft.run.id, detail: null },
      set: { error: errorRecord('task_cancelled'), input },
      ...ended,
    })
  }
  propagateEnd(draft, record)
}

/** Its runner gives it back: it begins again elsewhere, unless its effect may have happened. */
export function handBack(
  draft: Draft,
  record: InvocationRecord,
  ended: {
    readonly input: Payload | null
    readonly attempt: AttemptRecord
    /** Whether the task may have had an effect already. */
    readonly begun: boolean
  },
): void {
  const { attempt } = ended
  const node = nodeOf(draft, record)
  const { onLost } = node
  if (ended.begun && onLost === 'fail' && record.status !== 'PAUSED') {
    const error = errorRecord('indeterminate_effect')
    failFinally(draft, record, { node, set: { error }, attempt, final: 'FAILED' })
    return
  }
  moveInvocation(draft, record.id, { to: 'KILLED', attempt })
  // What stopped is dead: whoever asked for its end is answered now, and needs no other runner for that.
  if (record.cancelRequestedAt !== null) endAsked(draft, record, { input: ended.input, attempt: null })
  else if (ended.begun && onLost === 'verify')
    moveInvocation(draft, record.id, { to: 'REROUTED', set: { error: inDoubt() } })
  else if (ended.begun && onLost !== 'retry') askAPerson(draft, record)
  else moveInvocation(draft, record.id, { to: 'REROUTED' })
}
