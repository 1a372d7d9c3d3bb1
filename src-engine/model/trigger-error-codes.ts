/** The error codes of triggers and of the events that they hear. */

import { entry } from './error-entry.ts'

export const triggerErrorCatalogue = {
  trigger_not_found: entry(
    'There is no published trigger of that name.',
    'List them with `sagasmith triggers list`. A workflow’s triggers act once it is published.',
  ),
  event_not_found: entry(
    'No record of that event is kept.',
    'List what is kept with `sagasmith event list`; `event_retention_days` says for how long.',
  ),
} as const
