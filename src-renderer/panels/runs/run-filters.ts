/** Which runs the list can be narrowed to. Pure. */

import type { RunStatus } from '../../../src-engine/model/run-status.ts'

export const runFilters: readonly {
  readonly id: string
  readonly title: string
  /** Null for all. */
  readonly statuses: readonly RunStatus[] | null
}[] = [
  { id: 'all', title: 'All runs', statuses: null },
  {
    id: 'active',
    title: 'Under way',
    statuses: ['CREATED', 'RUNNING', 'WAITING', 'PAUSED', 'COMPENSATING'],
  },
  { id: 'paused', title: 'Paused', statuses: ['PAUSED'] },
  { id: 'failed', title: 'Failed', statuses: ['FAILED', 'TIMED_OUT', 'DENIED', 'COMPENSATION_FAILED'] },
  { id: 'cancelled', title: 'Cancelled', statuses: ['CANCELLED', 'ABANDONED', 'COMPENSATED'] },
  { id: 'succeeded', title: 'Succeeded', statuses: ['SUCCEEDED'] },
]
