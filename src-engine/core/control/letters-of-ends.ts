/** What ended without success, and nobody in the workflow deals with: written with the end itself. */

import type { DeadLetter } from '../../model/checkpoint.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import type { JsonValue } from '../../model/json.ts'
import type { OutputPhase } from '../../model/output/output-check.ts'
import type { RunRecord } from '../../model/run.ts'
import type { Instant } from '../../model/time.ts'
import { isLoser } from '../run-state.ts'
import { nextInChain } from '../saga/undo-chain.ts'

/** What of a decision its dead letters depend on. */
export interface Ends {
  readonly run: RunRecord
  readonly now: Instant
  /** What the decision writes. */
  readonly records: readonly InvocationRecord[]
  /** What was there before it. */
  readonly before: ReadonlyMap<InvocationId, InvocationRecord>
}

const needsAPerson: ReadonlySet<InvocationStatus> = new Set(['FAILED', 'TIMEOUT', 'DENIED'])

/**
 * The dead letters of a decision; null for almost all of them. What fails inside the body of a map or loop
 * is the map's or loop's to tolerate or to fail of.
 */
export function deadLettersOf(ends: Ends): readonly DeadLetter[] | null {
  let letters: DeadLetter[] | null = null
  for (const record of ends.records) {
    if (record.status === 'OUTPUT_QUARANTINED') {
      const letter = quarantineLetter(ends, record)
      if (letter !== null) letters = [...(letters ?? []), letter]
      continue
    }
    if (!needsAPerson.has(record.status)) continue
    if (record.ports !== null || isInBody(record) || record.error === null || isLoser(record)) continue
    if (record.role === 'compensation' && beginsAnew(ends, record)) continue
    letters ??= []
    letters.push(
      stepLetter({
        run: ends.run,
        at: ends.now,
        after: record,
        lastStatus: ends.before.get(record.id)?.status ?? 'REGISTERED',
        reason: record.error.code,
        body: {
          workflowTitle: ends.run.workflowTitle,
          priority: record.priority,
          tags: [...record.tags],
          crashCount: record.crashCount,
          failureCount: record.failureCount,
          ...(record.role === 'forward' ? {} : { role: record.role }),
        },
      }),
    )
  }
  return letters
}

/** Each result that is held back is somebody's to decide about, also where its workflow handles that. */
function quarantineLetter({ run, now, before }: Ends, record: InvocationRecord): DeadLetter | null {
  const check = record.dispatch?.check ?? null
  const lastStatus = before.get(record.id)?.status ?? 'REGISTERED'
  if (check === null || check.with !== null || lastStatus === 'OUTPUT_QUARANTINED') return null
  const { decision, rule, severity, phase, policy } = check
  const body = { workflowTitle: run.workflowTitle, decision, rule, severity, phase, policy }
  return stepLetter({ run, at: now, after: record, lastStatus, reason: quarantineReason(phase), body })
}

/** The reason of the dead letter of a result that is held back. */
export const quarantineReason = (phase: OutputPhase): string =>
  phase === 'metadata' ? 'output_quarantined' : 'output_quarantined_async'

/** Its group has it tried anew: nobody has to deal with it yet. */
function beginsAnew({ records }: Ends, { id }: InvocationRecord): boolean {
  const next = nextInChain(id)
  return records.some((other) => other.id === next && other.status !== 'CANCELLED')
}

/** A compensation is no part of its step's item or turn: nobody there deals with its failure. */
const isInBody = ({ path, role }: InvocationRecord): boolean => path !== '' && role === 'forward'

/** The dead letter of a step that ended. */
export function stepLetter(of: {
  readonly run: RunRecord
  readonly at: Instant
  /** As it ended. */
  readonly after: InvocationRecord
  readonly lastStatus: InvocationStatus
  readonly reason: string
  readonly body: JsonValue
}): DeadLetter {
  const { run, at, after, lastStatus, reason, body } = of
  return {
    id: `${after.id}:${reason}`,
    runId: after.runId,
    invocationId: after.id,
    workflowId: run.workflowId,
    nodeId: after.nodeId,
    reason,
    message: after.error?.message ?? reason,
    lastStatus,
    at,
    attempts: after.attempt,
    input: after.input,
    body,
  }
}
