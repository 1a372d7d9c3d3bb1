/** The error codes of streams that triggers read. */

import { entry } from './error-entry.ts'

export const streamErrorCatalogue = {
  stream_group_missing: entry(
    'The stream has no such consumer group.',
    'Have the trigger make it, or make it yourself: XGROUP CREATE … MKSTREAM.',
    true,
  ),
  stream_pending_full: entry(
    'As many entries as may be are taken and not acknowledged: no more are read.',
    'Look at the runs that failed and retry them, acknowledge their entries (XACK), or let more be pending.',
    true,
  ),
} as const
