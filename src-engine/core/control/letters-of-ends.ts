/** What ended without success, and nobody in the workflow deals with: written with the end itself. */

import type { DeadLetter } from '../../model/checkpoint.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'
import { isLoser } from '../run-state.ts'

/** What of a decision its dead letters depend on. */
export interface Ends {
  readonly run: RunRecord
  readonly now: Instant
  /** What the decision writes. */
  readonly records: readonly InvocationRecord[]
  /** What was there before it. */
  readonly before: ReadonlyMap<InvocationId, InvocationRecord>
}

/**
 * The dead letters of a decision; null for almost all of them. What fails inside the body of a map or loop
 * is the map's or loop's to tolerate or to fail of.
 */
export function deadLettersOf(ends: Ends): readonly DeadLetter[] | null {
  let letters: DeadLetter[] | null = null
  for (const record of ends.records) {
    if (record.status !== 'FAILED' && record.status !== 'TIMEOUT') continue
    if (record.ports !== null || record.path !== '' || record.error === null || isLoser(record)) continue
    letters ??= []
    letters.push(letterOf(ends, record))
  }
  return letters
}

function letterOf({ run, now, before }: Ends, record: InvocationRecord): DeadLetter {
  const { code, message } = record.error ?? { code: 'internal', message: '' }
  return {
    id: `${record.id}:${code}`,
    runId: record.runId,
    invocationId: record.id,
    workflowId: run.workflowId,
    nodeId: record.nodeId,
    reason: code,
    message,
    lastStatus: before.get(record.id)?.status ?? 'REGISTERED',
    at: now,
    attempts: record.attempt,
    input: record.input,
    body: {
      workflowTitle: run.workflowTitle,
      priority: record.priority,
      tags: [...record.tags],
      crashCount: record.crashCount,
      failureCount: record.failureCount,
    },
  }
}
