/** Settings of what is stored: durability, retention, dead letters, shared values. */

import { unkeptGraceMsDefault } from '../limits.ts'
import { day, hour, minute, second } from '../time.ts'
import { choice, count, flag, span } from './setting.ts'

/** The store itself. */
export const storeSettings = {
  durability: choice({
    name: 'durability',
    words: ['strict', 'relaxed'],
    aliases: { full: 'strict', normal: 'relaxed' },
    default: 'strict',
    meaning:
      'strict (synchronous=FULL): what was acknowledged survives power loss. relaxed (NORMAL): faster, but the last commits may be gone after power loss.',
  }),
  storeOperationTimeoutMs: span({
    name: 'store_operation_timeout',
    unit: 's',
    default: 2 * second,
    min: 50,
    max: 10 * minute,
    meaning:
      'A write that waits longer for other processes to let go of the data file counts as failed; whoever wanted it tries it again.',
  }),
  messageMarkTtlMs: span({
    name: 'message_mark_ttl',
    unit: 'min',
    default: 10 * minute,
    min: 10 * minute,
    scope: 'store',
    meaning:
      'How long it is known that a message was processed; the same message id does nothing until then.',
  }),
  messageVisibilityMs: span({
    name: 'message_visibility',
    unit: 'min',
    default: 2 * minute,
    min: second,
    max: day,
    scope: 'store',
    meaning:
      'A message between runs that whoever took it has not delivered after this is taken by another process; one that starts, or notices that another one died, takes all at once.',
  }),
} as const

/** What is deleted when. Only what is final is ever deleted. */
export const retentionSettings = {
  runRetentionAgeMs: span({
    name: 'run_retention_age',
    unit: 'd',
    default: 30 * day,
    scope: 'store',
    meaning: 'Runs that ended longer ago are deleted with everything that belongs to them; 0 keeps them.',
  }),
  runRetentionCount: count({
    name: 'run_retention_count',
    default: 100_000,
    scope: 'store',
    meaning: 'Of the ended runs this many are kept, the newest; 0 keeps any number.',
  }),
  pruneIntervalMs: span({
    name: 'prune_interval',
    unit: 'min',
    default: 10 * minute,
    min: second,
    max: 7 * day,
    scope: 'store',
    meaning: 'How often what is over its age or count is deleted.',
  }),
  pruneBatchSize: count({
    name: 'prune_batch_size',
    default: 100,
    min: 1,
    max: 10_000,
    scope: 'store',
    meaning: 'How many runs one transaction of the pruner deletes; work goes on between two.',
  }),
  unkeptGraceMs: span({
    name: 'unkept_output_grace',
    unit: 'min',
    default: unkeptGraceMsDefault,
    scope: 'store',
    meaning:
      'What a step gave that is not to be kept goes this long after its run failed, timed out or was cancelled: until then the run can go on from there.',
  }),
  blobGraceMs: span({
    name: 'blob_grace',
    unit: 'min',
    default: hour,
    min: minute,
    scope: 'store',
    meaning: 'A stored payload that nothing refers to is deleted only when it is older than this.',
  }),
} as const

/** Ends that need a person. */
export const deadLetterSettings = {
  deadLetterTtlMs: span({
    name: 'dead_letter_ttl',
    unit: 'd',
    default: 30 * day,
    min: minute,
    scope: 'store',
    meaning: 'Dead letters older than this are deleted.',
  }),
  deadLetterMax: count({
    name: 'dead_letter_max',
    default: 10_000,
    min: 1,
    scope: 'store',
    meaning: 'With more dead letters than this the oldest are deleted.',
  }),
  deadLetterRetryDelayMs: span({
    name: 'dead_letter_retry_delay',
    unit: 's',
    default: 5 * second,
    min: 10,
    max: hour,
    meaning:
      'The pause after the dead letter of an event that came too late for its run could not be written; the event is kept meanwhile.',
  }),
} as const

/** Values that many steps share are stored once (pynenc's client data). */
export const clientDataSettings = {
  clientDataDisabled: flag({
    name: 'disable_client_data_store',
    default: false,
    scope: 'store',
    meaning:
      'Whether values of steps always lie in their records instead of being stored once by their content.',
  }),
  minSizeToCache: count({
    name: 'min_size_to_cache',
    unit: 'characters',
    default: 1_024,
    scope: 'store',
    meaning:
      'Shorter values lie in the record, and so does what fits into 32 KB; the rest is stored once by its content.',
  }),
  maxSizeToCache: count({
    name: 'max_size_to_cache',
    unit: 'characters',
    default: 0,
    scope: 'store',
    meaning: 'Longer values lie in the record after all, with a warning, where they fit; 0 is no limit.',
  }),
  localCacheSize: count({
    name: 'local_cache_size',
    default: 1_024,
    meaning:
      'How many stored values a process keeps in memory (64 MB at most); the least recently used gives way.',
  }),
  warnThresholdBytes: count({
    name: 'warn_threshold',
    unit: 'bytes',
    default: 10 * 1_024 * 1_024,
    meaning: 'A value larger than this is stored with a warning in the log; 0 warns of none.',
  }),
} as const
