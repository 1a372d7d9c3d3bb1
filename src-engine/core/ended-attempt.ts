/** The record of an attempt that this decision ends, however it ended. */

import type { AttemptOutcome, AttemptRecord } from '../model/attempt.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { assert } from '../model/result.ts'
import type { Draft } from './draft.ts'

/** How it ended, and what is known of it. */
export type AttemptResult = Pick<AttemptRecord, 'outcome' | 'input' | 'output' | 'error' | 'log'>

/** By the kind of end that its runner reports. */
export const outcomes = {
  succeeded: 'succeeded',
  parked: 'parked',
  opens: 'parked',
  awaits: 'parked',
  asks: 'parked',
  stops: 'succeeded',
  leaves: 'succeeded',
  steers: 'succeeded',
  calls: 'parked',
  emits: 'succeeded',
  failed: 'failed',
  'timed-out': 'timed-out',
  unsure: 'failed',
  cancelled: 'cancelled',
  withheld: 'succeeded',
  skipped: 'skipped',
  reused: 'reused',
  'handed-back': 'handed-back',
} as const satisfies Readonly<Record<string, AttemptOutcome>>

/** For a record that is still owned: the attempt is its owner's. */
export function endedAttempt(draft: Draft, record: InvocationRecord, result: AttemptResult): AttemptRecord {
  assert(record.lease !== null, 'an attempt that ended had an owner')
  return {
    invocationId: record.id,
    runId: record.runId,
    number: record.attempt,
    runnerId: record.lease.runnerId,
    fence: record.lease.fence,
    startedAt: record.startedAt ?? draft.context.now,
    endedAt: draft.context.now,
    outcome: result.outcome,
    input: result.input,
    output: result.output,
    error: result.error,
    log: result.log,
  }
}

/** What is known of an attempt that nobody reported. */
export const unreported = { input: null, output: null, log: null } as const
