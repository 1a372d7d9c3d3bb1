/** What an engine counts: Cordum's lifecycle set under our prefix, and what our own services add to it. */

import type { ApprovalMetrics } from './approval-metrics.ts'
import { approvalMetrics } from './approval-metrics.ts'
import type { OutputMetrics } from './output-metrics.ts'
import { outputMetrics } from './output-metrics.ts'
import type { PolicyMetrics } from './policy-metrics.ts'
import { policyMetrics } from './policy-metrics.ts'
import type { Counter, Gauge, Histogram, PerLabel, Registry } from './registry.ts'
import { createRegistry } from './registry.ts'
import type { SagaMetrics } from './saga-metrics.ts'
import { sagaMetrics } from './saga-metrics.ts'

export interface EngineMetrics extends ApprovalMetrics, OutputMetrics, PolicyMetrics, SagaMetrics {
  readonly jobsReceived: Counter
  readonly jobsDispatched: Counter
  readonly jobsCompleted: PerLabel<Counter>
  readonly dispatchLatency: Histogram
  /** Found too old by the reconciler, by status; as of its last turn. */
  readonly staleJobs: PerLabel<Gauge>
  readonly orphanReplayed: Counter
  readonly dispatchRollback: Counter
  readonly deadLetterFailures: Counter
  readonly cancelFailures: Counter
  readonly validationRejections: Counter
  readonly workflowsStarted: Counter
  readonly workflowsCompleted: PerLabel<Counter>
  readonly workflowDuration: Histogram
  readonly lockWait: Histogram
  readonly lockAbandoned: Counter
  readonly claims: Counter
  readonly claimsBlocked: Counter
  readonly commits: Counter
  readonly commitsRepeated: Counter
  readonly commitsRefused: PerLabel<Counter>
  readonly commitDuration: Histogram
  readonly commitGroupSize: Histogram
  readonly fenceRefusals: Counter
  readonly recoveries: PerLabel<Counter>
  readonly heartbeatFailures: Counter
  /** Own operations that a failover of the store took back, by what became of them. */
  readonly lostOperations: PerLabel<Counter>
  readonly deadLetters: PerLabel<Counter>
  readonly queueDepth: PerLabel<Gauge>
  readonly store: PerLabel<Gauge>
  readonly partitionsAway: Gauge
  readonly slots: PerLabel<Gauge>
  readonly active: Gauge
  readonly registry: Registry
}

/** Seconds: from what a local step takes to what nobody wants to wait. */
const shortBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/** Seconds: from a flash to a day. */
const longBounds = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400]
/** Writes. */
const groupBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500]

const prefix = 'sagasmith_'

/** The metrics of one engine, all at zero. */
export function createEngineMetrics(): EngineMetrics {
  const registry = createRegistry()
  return {
    ...jobMetrics(registry),
    ...workflowMetrics(registry),
    ...storeMetrics(registry),
    ...outputMetrics(registry, prefix),
    ...approvalMetrics(registry, prefix, longBounds),
    ...policyMetrics(registry, prefix),
    ...sagaMetrics(registry, prefix),
    registry,
  }
}

function jobMetrics(registry: Registry) {
  const { counter, counterBy, gauge, gaugeBy, histogram } = registry
  return {
    jobsReceived: counter({ name: `${prefix}jobs_received_total`, help: 'Steps registered.' }),
    jobsDispatched: counter({ name: `${prefix}jobs_dispatched_total`, help: 'Steps given to a runner.' }),
    jobsCompleted: counterBy({
      name: `${prefix}jobs_completed_total`,
      help: 'Steps that reached a final status.',
      label: 'status',
    }),
    dispatchLatency: histogram({
      name: `${prefix}scheduler_dispatch_latency_seconds`,
      help: 'From the registration of a step to the start of its first attempt.',
      bounds: shortBounds,
    }),
    staleJobs: gaugeBy({
      name: `${prefix}scheduler_stale_jobs`,
      help: 'Steps that were too long in a status at the last look of the reconciler.',
      label: 'state',
    }),
    orphanReplayed: counter({
      name: `${prefix}scheduler_orphan_replayed_total`,
      help: 'Stuck work that the replayer brought back.',
    }),
    dispatchRollback: counter({
      name: `${prefix}scheduler_dispatch_rollback_total`,
      help: 'Claimed steps that were given back before they began.',
    }),
    deadLetterFailures: counter({
      name: `${prefix}dlq_emit_failures_total`,
      help: 'Dead letters that could not be written.',
    }),
    deadLetters: counterBy({
      name: `${prefix}dlq_letters_total`,
      help: 'Dead letters written.',
      label: 'reason',
    }),
    cancelFailures: counter({
      name: `${prefix}job_cancel_failures_total`,
      help: 'Steps that did not end though they were cancelled.',
    }),
    validationRejections: counter({
      name: `${prefix}validation_rejections_total`,
      help: 'Workflows and inputs that were refused.',
    }),
    queueDepth: gaugeBy({
      name: `${prefix}queue_depth`,
      help: 'Steps that wait for a runner, by pool.',
      label: 'pool',
    }),
    store: gaugeBy({
      name: `${prefix}store_info`,
      help: '1 for the kind of store that this process works on.',
      label: 'kind',
    }),
    partitionsAway: gauge({
      name: `${prefix}store_partitions_away`,
      help: 'Partitions of the store that do not answer this process.',
    }),
    slots: gaugeBy({ name: `${prefix}slots`, help: 'Slots of this runner, by state.', label: 'state' }),
    active: gauge({ name: `${prefix}scheduler_active`, help: 'Attempts under way in this process.' }),
  }
}

function workflowMetrics({ counter, counterBy, histogram }: Registry) {
  return {
    workflowsStarted: counter({ name: `${prefix}workflows_started_total`, help: 'Runs started.' }),
    workflowsCompleted: counterBy({
      name: `${prefix}workflows_completed_total`,
      help: 'Runs that ended.',
      label: 'status',
    }),
    workflowDuration: histogram({
      name: `${prefix}workflow_duration_seconds`,
      help: 'From the start of a run to its end.',
      bounds: longBounds,
    }),
  }
}

function storeMetrics({ counter, counterBy, histogram }: Registry) {
  return {
    lockWait: histogram({
      name: `${prefix}scheduler_job_lock_wait_seconds`,
      help: 'How long the taking of a lock took.',
      bounds: shortBounds,
    }),
    lockAbandoned: counter({
      name: `${prefix}scheduler_job_lock_abandoned_total`,
      help: 'Locks given up because they could not be renewed.',
    }),
    claims: counter({ name: `${prefix}claims_total`, help: 'Steps claimed from the store.' }),
    claimsBlocked: counter({
      name: `${prefix}claims_blocked_total`,
      help: 'Steps that a claim left because a concurrency permit was taken.',
    }),
    commits: counter({ name: `${prefix}commits_total`, help: 'Checkpoints committed.' }),
    commitsRepeated: counter({
      name: `${prefix}commits_repeated_total`,
      help: 'Checkpoints that had been committed before: acknowledged, and nothing done.',
    }),
    commitsRefused: counterBy({
      name: `${prefix}commits_refused_total`,
      help: 'Checkpoints refused, by reason.',
      label: 'reason',
    }),
    commitDuration: histogram({
      name: `${prefix}commit_duration_seconds`,
      help: 'From the sending of checkpoints to their durable answer.',
      bounds: shortBounds,
    }),
    commitGroupSize: histogram({
      name: `${prefix}commit_group_size`,
      help: 'How many writes shared a transaction, and so a sync to the disk.',
      bounds: groupBounds,
    }),
    fenceRefusals: counter({
      name: `${prefix}fence_refusals_total`,
      help: 'Checkpoints of a former owner, refused whole.',
    }),
    recoveries: counterBy({
      name: `${prefix}recoveries_total`,
      help: 'Steps taken over from a runner that was lost, by what they were in.',
      label: 'from',
    }),
    lostOperations: counterBy({
      name: `${prefix}lost_operations_total`,
      help: 'Operations of this process that a failover of the store took back, by what became of them.',
      label: 'outcome',
    }),
    heartbeatFailures: counter({
      name: `${prefix}heartbeat_failures_total`,
      help: 'Renewals of leases that failed.',
    }),
  }
}
