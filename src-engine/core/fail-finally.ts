/** Ends without success: of an attempt, of work that nobody can do, of a wait; and what goes on from there. */

import type { AttemptRecord } from '../model/attempt.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { assert } from '../model/result.ts'
import type { Instant } from '../model/time.ts'
import type { CompiledNode } from './compile.ts'
import type { Draft } from './draft.ts'
import { moveInvocation, nodeOf } from './draft.ts'
import { handlingPorts } from './handling-ports.ts'
import { propagateFrom } from './propagate.ts'
import { failureAt, noteFailure } from './stopping.ts'
import { timeCountsFrom } from './time-counts.ts'

/** Ends an invocation without success: its error port, the value it goes on with, or the run's failure. */
export function failFinally(
  draft: Draft,
  record: InvocationRecord,
  end: {
    readonly node: CompiledNode
    readonly set: Partial<InvocationRecord>
    readonly attempt: AttemptRecord | null
    readonly final: 'FAILED' | 'TIMEOUT' | 'DENIED' | 'CONCURRENCY_CONTROLLED_FINAL'
  },
): void {
  const { node, attempt } = end
  const ports = handlingPorts(node)
  const after = moveInvocation(draft, record.id, {
    to: end.final,
    set: { ...end.set, ports },
    ...(attempt === null ? {} : { attempt }),
  })
  if (record.role !== 'forward') return
  if (ports === null && after.error !== null) {
    noteFailure(draft, failureAt(record, after.error), record.path)
  } else {
    propagateFrom(draft, node, after)
  }
}

/** Whether an attempt at that instant would be beyond the node's time for all of them. */
export const pastTotalTimeout = (node: CompiledNode, record: InvocationRecord, notBefore: Instant): boolean =>
  node.totalTimeoutMs !== null && notBefore >= timeCountsFrom(record) + node.totalTimeoutMs

/** Goes on from an invocation that this decision ended. */
export function propagateEnd(draft: Draft, record: InvocationRecord): void {
  const after = draft.records.get(record.id)
  assert(after !== undefined, 'an ended invocation is part of the decision')
  propagateFrom(draft, nodeOf(draft, record), after)
}

/** Its effect may have happened and must not happen twice: a person decides, or it has failed. */
export function endUncertain(draft: Draft, record: InvocationRecord): void {
  const node = nodeOf(draft, record)
  if (node.onLost !== 'fail') {
    askAPerson(draft, record)
    return
  }
  const error = errorRecord('indeterminate_effect')
  failFinally(draft, record, { node, set: { error }, attempt: null, final: 'FAILED' })
}

/** Its effect may have happened: somebody says how it goes on. */
export function askAPerson(
  draft: Draft,
  record: InvocationRecord,
  error: ErrorRecord = errorRecord('indeterminate_effect'),
): void {
  moveInvocation(draft, record.id, {
    to: 'APPROVAL_REQUIRED',
    set: { error, waitReason: { code: 'indeterminate_effect', message: error.message } },
  })
}
