/** Settings of routing, concurrency control, the reconciler, the replayer and the locks. */

import { day, hour, minute, second } from '../time.ts'
import { count, derivedSpan, flag, span } from './setting.ts'

/** How waiting work is brought to a runner, and what is tried again when. */
export const routingSettings = {
  schedulingAttemptsMax: count({
    name: 'scheduling_attempts_max',
    default: 50,
    min: 1,
    max: 100_000,
    scope: 'store',
    meaning: 'A step that found no runner this often fails with a dead letter (max_scheduling_retries).',
  }),
  backoffInitialMs: span({
    name: 'backoff_initial',
    unit: 's',
    default: second,
    min: 1,
    max: hour,
    scope: 'store',
    meaning: 'The first pause before scheduling is tried again; it doubles each time.',
  }),
  backoffMaxMs: span({
    name: 'backoff_max',
    unit: 's',
    default: 30 * second,
    min: 1,
    max: day,
    scope: 'store',
    meaning: 'The longest pause before scheduling is tried again.',
  }),
  backoffJitterMs: span({
    name: 'backoff_jitter',
    unit: 'ms',
    default: 500,
    max: minute,
    scope: 'store',
    meaning: 'A random share of up to this is added to each pause, so that not all come back at once.',
  }),
  headStartMs: span({
    name: 'head_start',
    unit: 'ms',
    default: 50,
    max: minute,
    scope: 'store',
    meaning: 'How long others leave a step to the runners with lower scores; twice as many come each time.',
  }),
  retryDelayLockBusyMs: span({
    name: 'retry_delay_lock_busy',
    unit: 'ms',
    default: 500,
    max: hour,
    meaning: 'The pause after a lock was found busy.',
  }),
  retryDelayStoreMs: span({
    name: 'retry_delay_store',
    unit: 's',
    default: second,
    max: hour,
    meaning: 'The pause after the store failed.',
  }),
  retryDelayPublishMs: span({
    name: 'retry_delay_publish',
    unit: 's',
    default: 2 * second,
    max: hour,
    meaning: 'The pause after something could not be handed on to another system.',
  }),
  retryDelayNoWorkersMs: span({
    name: 'retry_delay_no_workers',
    unit: 's',
    default: 2 * second,
    max: hour,
    meaning: 'The pause after no runner was there for a step.',
  }),
  retryDelayThrottleMs: span({
    name: 'retry_delay_throttle',
    unit: 's',
    default: 5 * second,
    max: hour,
    meaning: 'The pause after a rate limit or a policy said “later”.',
  }),
  poolDrainCheckMs: span({
    name: 'pool_drain_check_interval',
    unit: 's',
    default: 10 * second,
    min: 100,
    max: hour,
    scope: 'store',
    meaning: 'How often it is looked whether a draining pool has ended its work and is inactive.',
  }),
  poolDrainTimeoutMs: span({
    name: 'pool_drain_timeout',
    unit: 'min',
    default: 10 * minute,
    max: day,
    scope: 'store',
    meaning:
      'A pool that drains for longer is inactive though some of its work still runs; 0 waits for ever.',
  }),
  registrySnapshotIntervalMs: span({
    name: 'registry_snapshot_interval',
    unit: 's',
    default: 5 * second,
    min: 100,
    max: hour,
    scope: 'store',
    meaning: 'How often the list of runners is written for runners that start.',
  }),
  registrySnapshotLockTtlMs: span({
    name: 'registry_snapshot_lock_ttl',
    unit: 's',
    default: 10 * second,
    min: 100,
    max: hour,
    scope: 'store',
    meaning: 'How long one runner keeps the right to write that list.',
  }),
  registryEntryTtlMs: span({
    name: 'registry_entry_ttl',
    unit: 's',
    default: 30 * second,
    min: second,
    max: day,
    scope: 'store',
    meaning: 'A runner of the list that gave no heartbeat for this long is not routed to.',
  }),
} as const

/** How many of the same may run at once. */
export const concurrencySettings = {
  rerouteOnConcurrencyControl: flag({
    name: 'reroute_on_concurrency_control',
    default: false,
    overriddenBy: 'node',
    meaning:
      'Whether a step that concurrency control stops waits for its turn. Otherwise it ends without a result.',
  }),
  concurrencyRetryDelayMs: span({
    name: 'concurrency_retry_delay',
    unit: 's',
    default: second,
    max: hour,
    scope: 'store',
    meaning:
      'How long a step waits at most before it asks for its concurrency slot again; a freed slot wakes it.',
  }),
  tenantConcurrentJobsMax: count({
    name: 'tenant_concurrent_jobs_max',
    default: 0,
    scope: 'store',
    meaning: 'How many steps of one tenant run at once; 0 is no limit.',
  }),
  tenantConcurrentRunsMax: count({
    name: 'tenant_concurrent_runs_max',
    default: 0,
    scope: 'store',
    meaning: 'How many runs of one tenant are under way at once; 0 is no limit.',
  }),
} as const

/** What is brought to an end because it takes too long, and what is found again because it got stuck. */
export const reconcilerSettings = {
  dispatchTimeoutMs: span({
    name: 'dispatch_timeout',
    unit: 's',
    default: 300 * second,
    min: second,
    scope: 'store',
    meaning:
      'How long a step may take from its first claim to its beginning, across all handovers; then TIMEOUT.',
  }),
  runningTimeoutMs: span({
    name: 'running_timeout',
    unit: 's',
    default: 9_000 * second,
    min: second,
    scope: 'store',
    meaning:
      'How long a step may be RUNNING or RESUMED when its node names no timeout; then TIMEOUT. Standing still (PAUSED) does not count.',
  }),
  reconcilerIntervalMs: span({
    name: 'reconciler_interval',
    unit: 's',
    default: 30 * second,
    min: 100,
    max: hour,
    scope: 'store',
    meaning: 'How often timeouts and deadlines are looked for.',
  }),
  reconcilerBatchSize: count({
    name: 'reconciler_batch_size',
    default: 200,
    min: 1,
    max: 10_000,
    scope: 'store',
    meaning: 'How many steps one batch of the reconciler handles.',
  }),
  reconcilerBatchesMax: count({
    name: 'reconciler_batches_max',
    default: 100,
    min: 1,
    max: 10_000,
    scope: 'store',
    meaning: 'How many batches one turn of the reconciler handles; the rest waits for the next.',
  }),
  reconcilerFailuresMax: count({
    name: 'reconciler_failures_max',
    default: 3,
    min: 1,
    max: 100,
    scope: 'store',
    meaning: 'After this many failures within a turn a step is left for the next.',
  }),
  pendingAgeMs: span({
    name: 'pending_age',
    unit: 'min',
    default: 2 * minute,
    min: second,
    max: day,
    scope: 'store',
    meaning: 'Work that waits longer than this though nothing keeps it is looked at by the replayer.',
  }),
  replayerIntervalMs: span({
    name: 'replayer_interval',
    unit: 's',
    default: 30 * second,
    min: 100,
    max: hour,
    scope: 'store',
    meaning: 'How often the replayer looks for stuck work and undelivered effects.',
  }),
} as const

/** Locks that are renewed at a third of their time and given up after three failures. */
export const lockSettings = {
  tickLockTtlMs: derivedSpan({
    name: 'tick_lock_ttl',
    unit: 's',
    example: minute,
    derivedFrom: '2 × reconciler_interval',
    min: 100,
    max: day,
    scope: 'store',
    meaning:
      'How long a runner that did a periodic turn keeps the others from doing it again; it is not given back.',
  }),
  runLockTtlMs: span({
    name: 'run_lock_ttl',
    unit: 's',
    default: 30 * second,
    min: second,
    max: day,
    scope: 'store',
    meaning:
      'How long work of several commits is locked without renewal: running a dead letter again, deleting what is old.',
  }),
  sagaLockTtlMs: span({
    name: 'saga_lock_ttl',
    unit: 'min',
    default: 2 * minute,
    min: second,
    max: day,
    scope: 'store',
    meaning:
      'How long somebody’s answer to a rollback keeps others from answering it, where the process that takes the answer dies meanwhile.',
  }),
  lockStrikesMax: count({
    name: 'lock_strikes_max',
    default: 3,
    min: 1,
    max: 100,
    meaning: 'After this many failed renewals in a row the work under a lock is abandoned.',
  }),
} as const
