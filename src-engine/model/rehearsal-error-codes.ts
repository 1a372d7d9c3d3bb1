/** Error codes of rehearsals. */

import type { ErrorEntry } from './error-entry.ts'
import { entry } from './error-entry.ts'

export const rehearsalErrorCatalogue = {
  rehearsal_without_end: entry(
    'A rehearsed run came to no end.',
    'Look for a loop that never ends, or for a wait without a timeout; give such a step a mock.',
  ),
} as const satisfies Record<string, ErrorEntry>
