/** Error codes of compensations and rollbacks. */

import type { ErrorEntry } from './error-entry.ts'
import { entry } from './error-entry.ts'

export const sagaErrorCatalogue = {
  rollback_not_possible: entry(
    'The run can’t be rolled back that way.',
    'See with `sagasmith runs show` where its rollback stands and what may be done.',
  ),
  run_rolling_back: entry(
    'The run is being rolled back.',
    'Wait for the end of the rollback, or decide about what failed in it.',
  ),
  saga_unmarshal_failed: entry(
    'What is recorded to undo the step means nothing any more.',
    'The version that the run is bound to has nothing that undoes the step: undo it by hand.',
  ),
  sub_run_not_undone: entry(
    'The run that the step started could not be rolled back whole.',
    'Deal with the rollback of that run first, then try this one again.',
  ),
  compensation_safety_unavailable: entry(
    'The policy could not say whether the step may be undone.',
    'Make the policy reachable, then try the rollback again.',
  ),
} as const satisfies Record<string, ErrorEntry>
