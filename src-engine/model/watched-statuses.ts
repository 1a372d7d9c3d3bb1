/** What a run, or a step of one, can be waited for to become: one word for both, where both can. */

import type { InvocationStatus } from './invocation-status.ts'
import type { RunStatus } from './run-status.ts'

export const watchedStatuses = [
  'SUCCEEDED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
  'DENIED',
  'RUNNING',
  'WAITING',
  'PAUSED',
  'RETRY',
  'APPROVAL_REQUIRED',
  'OUTPUT_QUARANTINED',
  'COMPENSATING',
  'COMPENSATED',
  'COMPENSATION_FAILED',
  'ABANDONED',
] as const

export type WatchedStatus = (typeof watchedStatuses)[number]

/** The status of a run; null where only steps can become that. */
export const runStatusOf: Readonly<Record<WatchedStatus, RunStatus | null>> = {
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  TIMED_OUT: 'TIMED_OUT',
  CANCELLED: 'CANCELLED',
  DENIED: 'DENIED',
  RUNNING: 'RUNNING',
  WAITING: 'WAITING',
  PAUSED: 'PAUSED',
  RETRY: null,
  APPROVAL_REQUIRED: null,
  OUTPUT_QUARANTINED: null,
  COMPENSATING: 'COMPENSATING',
  COMPENSATED: 'COMPENSATED',
  COMPENSATION_FAILED: 'COMPENSATION_FAILED',
  ABANDONED: 'ABANDONED',
}

/** The status of a step; null where only runs can become that. */
export const stepStatusOf: Readonly<Record<WatchedStatus, InvocationStatus | null>> = {
  SUCCEEDED: 'SUCCESS',
  FAILED: 'FAILED',
  TIMED_OUT: 'TIMEOUT',
  CANCELLED: 'CANCELLED',
  DENIED: 'DENIED',
  RUNNING: 'RUNNING',
  WAITING: 'WAITING',
  PAUSED: 'PAUSED',
  RETRY: 'RETRY',
  APPROVAL_REQUIRED: 'APPROVAL_REQUIRED',
  OUTPUT_QUARANTINED: 'OUTPUT_QUARANTINED',
  COMPENSATING: null,
  COMPENSATED: null,
  COMPENSATION_FAILED: null,
  ABANDONED: null,
}

/** Whoever becomes one of these may have failed: there can be an error to look at. */
export const failingStatuses: ReadonlySet<WatchedStatus> = new Set([
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
  'DENIED',
  'RETRY',
  'COMPENSATING',
  'COMPENSATED',
  'COMPENSATION_FAILED',
  'ABANDONED',
])
