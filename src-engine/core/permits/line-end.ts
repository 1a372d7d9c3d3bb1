/** How long work stands in line for a permit at most, and how it goes on when that is over. */

import { errorRecord } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { LineEnd } from '../../model/task-spec.ts'
import type { Instant } from '../../model/time.ts'
import { timeoutPort } from '../../model/workflow.ts'
import type { CompiledNode } from '../compile.ts'
import { isHeld } from '../control/hold.ts'
import type { Draft } from '../draft.ts'
import { moveInvocation } from '../draft.ts'
import { failFinally } from '../fail-finally.ts'
import { propagateFrom } from '../propagate.ts'
import { endCutWait } from '../total-timeout.ts'
import { isTimeOver, waitEndOf } from '../wait-ends.ts'

const lineEndOf = (node: CompiledNode): LineEnd | null => node.permits?.starts?.lineEnd ?? null

/** When who stands in line since that instant gives up; null for never. The node's total time counts there too. */
export function givesUpAt(node: CompiledNode, record: InvocationRecord, since: Instant): Instant | null {
  const end = lineEndOf(node)
  return waitEndOf(node, record, end === null ? null : since + end.afterMs)
}

/** Whether who stands in line may not begin any more, whatever room there is. */
export function isLineOver(node: CompiledNode, record: InvocationRecord, now: Instant): boolean {
  const endsAt = givesUpAt(node, record, record.permits?.blockedSince ?? now)
  return endsAt !== null && endsAt <= now && !isHeld(record)
}

/** Ends the standing in line of who waited for too long: for its node's whole time, or for that of its kind. */
export function endLine(draft: Draft, record: InvocationRecord, node: CompiledNode): void {
  const end = lineEndOf(node)
  if (end === null || isTimeOver(node, record, draft.context.now)) {
    endCutWait(draft, record, node)
    return
  }
  const { blockedBy = null } = record.permits ?? {}
  const error = errorRecord('wait_timeout', {
    message: `“${record.nodeId}” was still in line after ${end.afterMs} ms: ${record.waitReason?.message ?? ''}`,
    details: { waitedMs: end.afterMs, key: blockedBy },
  })
  if (end.by === 'fail') {
    failFinally(draft, record, { node, set: { error }, attempt: null, final: 'TIMEOUT' })
    return
  }
  const after = moveInvocation(draft, record.id, { to: 'TIMEOUT', set: { error, ports: [timeoutPort] } })
  propagateFrom(draft, node, after)
}
