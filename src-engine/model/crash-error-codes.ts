/** Error codes of crashes on purpose. */

import type { ErrorEntry } from './error-entry.ts'
import { entry } from './error-entry.ts'

export const crashErrorCatalogue = {
  crash_not_possible: entry(
    'No worker of this run can be crashed now.',
    'Try again while one of its steps can begin, or start `sagasmith runner` and crash that.',
    true,
  ),
} as const satisfies Record<string, ErrorEntry>
