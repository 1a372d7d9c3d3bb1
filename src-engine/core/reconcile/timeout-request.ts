/** A timeout that the owner of the work was asked to answer: it stops, and the step ends as TIMEOUT. */

import type { ErrorRecord } from '../../model/errors.ts'
import { errorRecord } from '../../model/errors.ts'
import type { InvocationRecord, WaitReason } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import type { JsonValue } from '../../model/json.ts'
import { stepLetter } from '../control/letters-of-ends.ts'
import type { Decision } from '../draft.ts'

/** Which of the reconciler's limits was reached. */
export type TimeoutReason = 'dispatch_timeout' | 'running_timeout'

const isTimeoutReason = (code: string | undefined): code is TimeoutReason =>
  code === 'dispatch_timeout' || code === 'running_timeout'

/** Whether the cancel that its owner was asked for is a timeout. */
export const isTimeoutAsked = (record: InvocationRecord): boolean =>
  record.cancelRequestedAt !== null && isTimeoutReason(record.waitReason?.code)

/** The error of a step that such a limit ended. */
export function timeoutError(record: InvocationRecord, reason: WaitReason | null): ErrorRecord {
  return errorRecord('task_timeout', {
    message: reason?.message ?? `“${record.nodeId}” took too long.`,
    details: { reason: reason?.code ?? 'running_timeout' },
  })
}

/** The decision with the dead letter of a step that it ended as TIMEOUT; as it is when it didn't. */
export const withTimeoutLetter = (decision: Decision, before: InvocationRecord, reason: string): Decision =>
  withLetter(decision, before, {
    reason,
    ended: 'TIMEOUT',
    body: { runnerId: before.lease?.runnerId ?? null },
  })

/** The decision with the dead letter of a step that it ended this way; as it is when it didn't. */
export function withLetter(
  decision: Decision,
  before: InvocationRecord,
  end: { readonly reason: string; readonly ended: InvocationStatus; readonly body: JsonValue },
): Decision {
  const after = decision.changes.invocations.find(({ id }) => id === before.id)
  if (after?.status !== end.ended) return decision
  const { checkpoint, changes } = decision
  const letter = stepLetter({
    run: changes.run,
    at: checkpoint.at,
    after,
    lastStatus: before.status,
    reason: end.reason,
    body: end.body,
  })
  // Its own reason says more than that of the end, which left a letter already.
  const others = checkpoint.writes.deadLetters.filter(({ invocationId }) => invocationId !== before.id)
  const deadLetters = [...others, letter]
  return { ...decision, checkpoint: { ...checkpoint, writes: { ...checkpoint.writes, deadLetters } } }
}
