/** What becomes of a wait that took all of the time that its node has. */

import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { spanText } from '../model/summary.ts'
import type { Instant } from '../model/time.ts'
import type { CompiledNode } from './compile.ts'
import type { Draft } from './draft.ts'
import { failFinally } from './fail-finally.ts'
import { isLeaseOver } from './wait-ends.ts'

/** Ends a wait that took the node's time. */
export function endCutWait(draft: Draft, record: InvocationRecord, node: CompiledNode): void {
  const error = errorOf(node, record, draft.context.now)
  failFinally(draft, record, { node, set: { error }, attempt: null, final: 'TIMEOUT' })
}

function errorOf(node: CompiledNode, record: InvocationRecord, now: Instant): ErrorRecord {
  if (isLeaseOver(node, record, now)) {
    const leaseMs = node.leaseMs ?? 0
    const message = `“${record.nodeId}” had its place for ${spanText(leaseMs)}, as long as it may keep it.`
    const hint = 'Let it keep its place for longer, or do less inside.'
    return errorRecord('task_timeout', { message, hint, details: { leaseMs } })
  }
  const totalMs = node.totalTimeoutMs ?? 0
  const message = `“${record.nodeId}” was still waiting when its total time of ${totalMs} ms was over.`
  return errorRecord('task_timeout', { message, details: { totalMs } })
}
