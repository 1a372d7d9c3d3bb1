/** What becomes of a wait that took all of the time that its node has. */

import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { CompiledNode } from './compile.ts'
import type { Draft } from './draft.ts'
import { failFinally } from './fail-finally.ts'

/** Ends a wait that took the node's time. */
export function endCutWait(draft: Draft, record: InvocationRecord, node: CompiledNode): void {
  const totalMs = node.totalTimeoutMs ?? 0
  const message = `“${record.nodeId}” was still waiting when its total time of ${totalMs} ms was over.`
  const error = errorRecord('task_timeout', { message, details: { totalMs } })
  failFinally(draft, record, { node, set: { error }, attempt: null, final: 'TIMEOUT' })
}
