/**
 * Starts the run of a slot: in one checkpoint with the schedule's move, and only while the run of the chores
 * that fires it holds its fence. So a slot has one run or none, whatever crashes in between.
 */

import { definitionHashOf } from '../../model/definition-hash.ts'
import { runId as asRunId } from '../../model/ids.ts'
import { atHome } from '../../model/partition.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { RunnerDependencies } from '../runner.ts'
import type { RunStarter } from '../starting/run-starter.ts'
import type { FireAnswer, Firing, Schedule } from './schedules.ts'

export interface ScheduledStart {
  readonly dependencies: RunnerDependencies
  readonly starter: RunStarter
}

/** A schedule that starts a run of a workflow at each slot, unless the one before still goes on. */
export function workflowSchedule(
  start: ScheduledStart,
  given: { readonly id: string; readonly expression: string; readonly document: WorkflowDocument },
): Schedule {
  return {
    id: given.id,
    expression: given.expression,
    catchUpMax: 1,
    fire: (firing) => fire(start, given.document, firing),
  }
}

/** The request that a slot is: the same from whoever fires it. */
const requestOf = (scheduleId: string, slot: Instant): string =>
  `cron:${scheduleId}:${new Date(slot).toISOString()}`

/** At home: it begins in one checkpoint with the schedule's register. */
const runOf = (request: string): RunRecord['id'] => asRunId(`run_req_${encodeURIComponent(request)}${atHome}`)

async function fire(start: ScheduledStart, document: WorkflowDocument, firing: Firing): Promise<FireAnswer> {
  const { store, partition, executor } = start.dependencies
  const { scheduleId, slot, previous, move, fence } = firing
  if (previous !== null) {
    const before = await store.load(partition, 'run', { runId: runOf(requestOf(scheduleId, previous)) })
    if (before !== null && !runMachine.final.has(before.status))
      return { kind: 'skip', reason: 'still_running' }
  }
  const requestId = requestOf(scheduleId, slot)
  const id = runOf(requestId)
  const cause = { kind: 'trigger:cron', by: scheduleId, detail: new Date(slot).toISOString() }
  const hasBegun = await start.starter.begin({
    id,
    document,
    hash: definitionHashOf(document, executor.host.specsByKind),
    input: { kind: 'inline', json: '{}' },
    seed: id,
    actor: 'trigger',
    record: { requestId, cause },
    registers: [move, fence],
  })
  return { kind: hasBegun ? 'fired' : 'lost' }
}
