/** Settings of triggers. */

import { day } from '../time.ts'
import { count, flag, span } from './setting.ts'

/** How long it is kept what triggers did, and what they heard. */
export const triggerSettings = {
  eventRetentionMs: span({
    name: 'event_retention_days',
    unit: 'd',
    default: 7 * day,
    min: day,
    scope: 'store',
    meaning: 'Records of events, and of what triggers did, that are older than this are deleted.',
  }),
  eventMaxRecords: count({
    name: 'event_max_records',
    default: 0,
    scope: 'store',
    meaning: 'With more records of events than this the oldest are deleted; 0 keeps any number.',
  }),
  triggerRunMaxRecords: count({
    name: 'trigger_run_max_records',
    default: 0,
    scope: 'store',
    meaning: 'With more records of what triggers did than this the oldest are deleted; 0 keeps any number.',
  }),
  eventAutoPurgeEnabled: flag({
    name: 'event_auto_purge_enabled',
    default: true,
    scope: 'store',
    meaning: 'Whether records of events and triggers are deleted by age and number at all.',
  }),
} as const
