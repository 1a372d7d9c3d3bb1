/** What becomes of a wait for a signal that didn't come in time. */

import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { timeoutPort } from '../model/workflow.ts'
import type { Draft } from './draft.ts'
import { moveInvocation, nodeOf } from './draft.ts'
import { failFinally } from './fail-finally.ts'
import { propagateFrom } from './propagate.ts'
import type { SignalWait } from './signal-turnout.ts'

/** Goes on by the timeout port, or fails as a timeout. */
export function endWaitForSignal(draft: Draft, record: InvocationRecord, wait: SignalWait): void {
  const node = nodeOf(draft, record)
  if (wait.onTimeout === 'port') {
    const after = moveInvocation(draft, record.id, { to: 'SUCCESS', set: { ports: [timeoutPort] } })
    propagateFrom(draft, node, after)
    return
  }
  const awaited =
    wait.calls === undefined ? `the signal “${wait.name}”, and none came` : 'web calls that did not come'
  const message = `“${record.nodeId}” waited for ${awaited} in time.`
  const error = errorRecord('signal_timeout', { message, details: { signal: wait.name } })
  failFinally(draft, record, { node, set: { error }, attempt: null, final: 'TIMEOUT' })
}
