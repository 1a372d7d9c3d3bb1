/** The table of run statuses; the same machine as for invocations, without owners. */

import type { ActorKind } from './invocation-status.ts'
import type { Machine, StatusRow } from './machine.ts'
import { defineMachine } from './machine.ts'

export const runStatuses = [
  'CREATED',
  'RUNNING',
  'WAITING',
  'PAUSED',
  'COMPENSATING',
  'COMPENSATION_FAILED',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
  'DENIED',
  'COMPENSATED',
  'ABANDONED',
] as const

export type RunStatus = (typeof runStatuses)[number]

type Row = StatusRow<RunStatus, ActorKind>

const failures: Row['to'] = ['FAILED', 'CANCELLED', 'TIMED_OUT', 'DENIED', 'COMPENSATING']
/** `run`: its parent undoes the step that started it. */
const undo = { status: 'COMPENSATING', by: ['operator', 'scan', 'run'] } as const
const retryFromNode = { status: 'RUNNING', by: ['operator'] } as const

export const runMachine: Machine<RunStatus, ActorKind> = defineMachine<RunStatus, ActorKind>({
  name: 'run status',
  initial: ['CREATED'],
  rows: {
    CREATED: { to: ['RUNNING', 'DENIED', 'CANCELLED', 'TIMED_OUT', 'FAILED'] },
    RUNNING: { to: ['WAITING', 'PAUSED', 'SUCCEEDED', ...failures] },
    WAITING: { to: ['RUNNING', 'PAUSED', 'SUCCEEDED', ...failures] },
    PAUSED: { to: ['RUNNING', 'WAITING', ...failures] },
    COMPENSATING: { to: ['COMPENSATED', 'COMPENSATION_FAILED'] },
    COMPENSATION_FAILED: { to: ['COMPENSATING', 'ABANDONED'] },
    SUCCEEDED: { final: true, to: [undo] },
    FAILED: { final: true, to: [undo, retryFromNode] },
    CANCELLED: { final: true, to: [undo, retryFromNode] },
    TIMED_OUT: { final: true, to: [undo, retryFromNode] },
    DENIED: { final: true, to: [undo, retryFromNode] },
    COMPENSATED: { final: true, to: [] },
    ABANDONED: { final: true, to: [] },
  },
})

/** Whether a run is being rolled back, or somebody has to say how its rollback goes on. */
export const isRollingBack = (status: RunStatus): boolean =>
  status === 'COMPENSATING' || status === 'COMPENSATION_FAILED'

/** Whether nothing happens to a run by itself any more: it has ended, or only a person has it go on. */
export const hasComeToRest = (status: RunStatus): boolean =>
  status === 'COMPENSATION_FAILED' || runMachine.final.has(status)
