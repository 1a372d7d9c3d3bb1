/** The run that a step started. Pure. */

import { childRunId } from '../../src-engine/model/child-run.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { runId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'

/** Null for a step that started none, or none yet; `kind` is that of its node. */
export function childRunOf(record: InvocationRecord, kind: string | undefined): RunId | null {
  if (record.wait?.kind === 'run') return record.wait.runId
  const failed = record.error?.details['childRunId']
  if (typeof failed === 'string') return runId(failed)
  // Its id follows from the step and its try, so that nobody has to keep it.
  if (kind !== 'sub-workflow' || record.status !== 'SUCCESS') return null
  return childRunId(record.id, record.failureCount)
}
