/** Which runs go back, or have. Pure. */

import type { RunStatus } from '../../src-engine/model/run-status.ts'

const rolledBack: ReadonlySet<RunStatus> = new Set([
  'COMPENSATING',
  'COMPENSATED',
  'COMPENSATION_FAILED',
  'ABANDONED',
])

/** Whether a run is undone, was, or was to be. */
export const isRolledBack = (status: RunStatus): boolean => rolledBack.has(status)
