/** THE table of invocation statuses: every rule about them is a row here and nowhere else. */

import type { Machine, MachineActor, StatusRow } from './machine.ts'
import { defineMachine } from './machine.ts'

export const invocationStatuses = [
  'REGISTERED',
  'REROUTED',
  'RETRY',
  'CONCURRENCY_CONTROLLED',
  'APPROVAL_REQUIRED',
  'PENDING',
  'RUNNING',
  'PAUSED',
  'RESUMED',
  'WAITING',
  'KILLED',
  'PENDING_RECOVERY',
  'RUNNING_RECOVERY',
  'CANCELLED',
  'TIMEOUT',
  'FAILED',
  'DENIED',
  'CONCURRENCY_CONTROLLED_FINAL',
  'SUCCESS',
  'OUTPUT_QUARANTINED',
] as const

export type InvocationStatus = (typeof invocationStatuses)[number]

/**
 * Who moves an invocation or a run. `run` is the run's own logic, `recovery` the recovery service,
 * `reconciler` the timeout service, `scan` the output scanner, `policy` the safety kernel.
 */
export type ActorKind =
  | 'runner'
  | 'run'
  | 'recovery'
  | 'reconciler'
  | 'operator'
  | 'policy'
  | 'scan'
  | 'timer'
  | 'trigger'

export type Actor = MachineActor<ActorKind>

type Row = StatusRow<InvocationStatus, ActorKind>

/** Whatever became available: it is claimed, finds no room, or ends where it stands. */
const fromRetry: Row['to'] = [
  'PENDING',
  'CONCURRENCY_CONTROLLED',
  'CONCURRENCY_CONTROLLED_FINAL',
  'FAILED',
  'CANCELLED',
  'TIMEOUT',
]

/**
 * What was claimed and given back, or what is registered, may also be asked about, denied, or wait for another one.
 * Whoever claims another try gives it back first: docs/adr/0068.
 */
const fromAvailable: Row['to'] = [...fromRetry, 'WAITING', 'APPROVAL_REQUIRED', 'DENIED']

const fromRunning: Row['to'] = [
  'PAUSED',
  'WAITING',
  'RETRY',
  'SUCCESS',
  'FAILED',
  'KILLED',
  'APPROVAL_REQUIRED',
  'TIMEOUT',
  'CANCELLED',
  'OUTPUT_QUARANTINED',
  'RUNNING_RECOVERY',
]

export const invocationMachine: Machine<InvocationStatus, ActorKind> = defineMachine<
  InvocationStatus,
  ActorKind
>({
  name: 'invocation status',
  initial: ['REGISTERED'],
  rows: {
    // Control nodes are done as they are registered, without a runner.
    REGISTERED: { releases: true, available: true, to: [...fromAvailable, 'SUCCESS'] },
    REROUTED: { releases: true, available: true, to: fromAvailable },
    RETRY: { releases: true, available: true, to: fromRetry },
    CONCURRENCY_CONTROLLED: { releases: true, to: ['REROUTED', 'CANCELLED', 'TIMEOUT'] },
    APPROVAL_REQUIRED: {
      releases: true,
      to: ['REROUTED', 'SUCCESS', 'FAILED', 'DENIED', 'CANCELLED', 'TIMEOUT'],
    },
    PENDING: {
      acquires: true,
      requires: true,
      to: ['RUNNING', 'REROUTED', 'KILLED', 'PENDING_RECOVERY', 'CANCELLED', 'TIMEOUT'],
    },
    RUNNING: { requires: true, to: fromRunning },
    PAUSED: {
      requires: true,
      to: ['RESUMED', 'RETRY', 'FAILED', 'KILLED', 'CANCELLED', 'TIMEOUT', 'RUNNING_RECOVERY'],
    },
    RESUMED: { requires: true, to: fromRunning },
    WAITING: {
      releases: true,
      to: ['REROUTED', 'RETRY', 'SUCCESS', 'FAILED', 'TIMEOUT', 'CANCELLED'],
    },
    KILLED: { releases: true, to: ['REROUTED', 'APPROVAL_REQUIRED', 'CANCELLED', 'TIMEOUT'] },
    // What never began took nobody down: it has no end as a failure.
    PENDING_RECOVERY: {
      releases: true,
      overrides: ['recovery'],
      to: ['REROUTED', 'CANCELLED', 'TIMEOUT'],
    },
    RUNNING_RECOVERY: {
      releases: true,
      overrides: ['recovery'],
      to: ['REROUTED', 'FAILED', 'CANCELLED', 'TIMEOUT', 'APPROVAL_REQUIRED'],
    },
    CANCELLED: { releases: true, overrides: ['operator', 'run', 'policy'], final: true, to: [] },
    TIMEOUT: { releases: true, overrides: ['reconciler'], final: true, to: [] },
    FAILED: { releases: true, final: true, to: [] },
    DENIED: { releases: true, final: true, to: [] },
    CONCURRENCY_CONTROLLED_FINAL: { releases: true, final: true, to: [] },
    SUCCESS: { releases: true, final: true, to: [{ status: 'OUTPUT_QUARANTINED', by: ['scan'] }] },
    OUTPUT_QUARANTINED: { releases: true, final: true, to: [{ status: 'SUCCESS', by: ['operator'] }] },
  },
})
