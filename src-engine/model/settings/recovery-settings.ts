/** Settings of recovery and of the atomic service, with pynenc's names and defaults. */

import { crashAttemptsMax } from '../limits.ts'
import { day, minute, second } from '../time.ts'
import { count, share, span, text } from './setting.ts'

/** Five fields, as cron-parser reads them; whether they mean something is checked where they are used. */
const cron = { pattern: /^\S+(?: +\S+){4}$/, expected: 'a cron expression of five fields' }

/** When work of others is taken over, and who looks for it. */
export const recoverySettings = {
  maxPendingMs: span({
    name: 'max_pending_seconds',
    unit: 's',
    default: 5 * second,
    min: 100,
    max: day,
    scope: 'store',
    meaning: 'A step that was claimed but has not begun after this is given to another runner.',
  }),
  runnerDeadAfterMs: span({
    name: 'runner_considered_dead_after_minutes',
    unit: 'min',
    default: 10 * minute,
    min: second,
    max: 365 * day,
    scope: 'store',
    meaning:
      'A runner whose heartbeat is older is dead. An expired lease or a process proven gone on this machine says so earlier.',
  }),
  deadProcessCheckMs: span({
    name: 'dead_process_check_interval',
    unit: 's',
    default: second,
    min: 50,
    max: minute,
    meaning: 'How often a runner looks whether processes of other runners on its machine are gone.',
  }),
  recoverPendingCron: text({
    name: 'recover_pending_invocations_cron',
    default: '*/5 * * * *',
    ...cron,
    scope: 'store',
    meaning: 'When the task runs that recovers steps which were claimed but never begun.',
  }),
  recoverRunningCron: text({
    name: 'recover_running_invocations_cron',
    default: '*/15 * * * *',
    ...cron,
    scope: 'store',
    meaning: 'When the task runs that recovers steps of dead runners.',
  }),
  crashAttemptsMax: count({
    name: 'crash_attempts_max',
    default: crashAttemptsMax,
    min: 1,
    max: 1_000,
    scope: 'store',
    meaning:
      'A step that took its runner down this often is not tried again: it fails with a dead letter (worker_lost).',
  }),
} as const

/** Which runner does the periodic chores, and when. */
export const atomicServiceSettings = {
  atomicServiceIntervalMs: span({
    name: 'atomic_service_interval_minutes',
    unit: 'min',
    default: 5 * minute,
    min: second,
    max: day,
    scope: 'store',
    meaning: 'The length of one cycle, in which each runner has one slot for the periodic chores.',
  }),
  atomicServiceSpreadMarginMs: span({
    name: 'atomic_service_spread_margin_minutes',
    unit: 'min',
    default: minute,
    max: day,
    scope: 'store',
    meaning: 'Taken off the end of each slot, but never more than half of it.',
  }),
  atomicServiceCheckIntervalMs: span({
    name: 'atomic_service_check_interval_minutes',
    unit: 'min',
    default: minute / 2,
    min: 100,
    max: day,
    meaning: 'How often a runner looks whether it is its turn; it also wakes at the start of its slot.',
  }),
  atomicServiceMaxStartSlotFraction: share({
    name: 'atomic_service_max_start_slot_fraction',
    unit: 'fraction',
    default: 0.5,
    min: 0.001,
    scope: 'store',
    meaning: 'Later than this share of its slot a runner does not begin any more; 1 turns it off.',
  }),
  atomicServiceMembershipStabilizationMs: span({
    name: 'atomic_service_membership_stabilization_minutes',
    unit: 'min',
    default: 0,
    max: day,
    scope: 'store',
    meaning: 'A runner younger than this has a slot but does not use it.',
  }),
  atomicServiceMinRunMarginMs: span({
    name: 'atomic_service_min_run_margin_seconds',
    unit: 's',
    default: 50,
    max: day,
    scope: 'store',
    meaning:
      'With less than this left in the slot after the start record the run is given up; 0 turns it off.',
  }),
  atomicServiceExecutionRetentionMs: span({
    name: 'atomic_service_execution_retention_minutes',
    unit: 'min',
    default: 60 * minute,
    scope: 'store',
    meaning: 'How long records of past runs of the chores are kept; 0 keeps them whatever their age.',
  }),
  atomicServiceExecutionMaxRecords: count({
    name: 'atomic_service_execution_max_records',
    default: 1_000,
    scope: 'store',
    meaning: 'How many records of past runs of the chores are kept; 0 keeps any number.',
  }),
} as const
