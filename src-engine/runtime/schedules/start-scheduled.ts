/**
 * Starts the run of a slot: in one checkpoint with the schedule's move, and only while the run of the chores
 * that fires it holds its fence. So a slot has one run or none, whatever crashes in between.
 */

import { createRunState } from '../../core/run-state.ts'
import { startRun } from '../../core/start-run.ts'
import { definitionHashOf } from '../../model/definition-hash.ts'
import { runId as asRunId, opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import { newRun } from '../../model/new-records.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Definitions } from '../definitions.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { FireAnswer, Firing, Schedule } from './schedules.ts'

export interface ScheduledStart {
  readonly dependencies: RunnerDependencies
  readonly definitions: Definitions
  readonly runner: Runner
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

const runOf = (request: string): RunRecord['id'] => asRunId(`run_req_${encodeURIComponent(request)}`)

async function fire(start: ScheduledStart, document: WorkflowDocument, firing: Firing): Promise<FireAnswer> {
  const { runner, definitions } = start
  const { book, store, partition, executor, clock } = start.dependencies
  const { scheduleId, slot, previous, move, fence } = firing
  if (previous !== null) {
    const before = await store.load(partition, 'run', { runId: runOf(requestOf(scheduleId, previous)) })
    if (before !== null && !runMachine.final.has(before.status))
      return { kind: 'skip', reason: 'still_running' }
  }
  const hash = definitionHashOf(document, executor.host.specsByKind)
  const workflow = definitions.add(hash, document)
  const request = requestOf(scheduleId, slot)
  const id = runOf(request)
  const now = clock.now()
  const cause = { kind: 'trigger:cron', by: scheduleId, detail: new Date(slot).toISOString() }
  const run = newRun({
    id,
    partition,
    workflowId: document.id,
    workflowTitle: document.title,
    definitionHash: hash,
    requestId: request,
    priority: workflow.priority,
    input: { kind: 'inline', json: '{}' },
    seed: id,
    cause,
    now,
  })
  const version = (await definitions.isPublished(hash))
    ? null
    : { hash, workflowId: document.id, title: document.title, document: textOf(document), publishedAt: now }
  const state = createRunState(workflow, run)
  const context = runner.context({ actor: 'trigger', cause, opId: opId(`start:${id}`), runId: null })
  const plain = startRun(state, context, version)
  const { expect, writes } = plain.checkpoint
  const checkpoint = {
    ...plain.checkpoint,
    expect: { ...expect, registers: [...expect.registers, { key: move.key, version: move.version }, fence] },
    writes: { ...writes, registers: [...writes.registers, { key: move.key, value: move.value }] },
  }
  const decision = { ...plain, checkpoint }
  runner.reserve(decision)
  let accepted = false
  try {
    accepted = (await book.begin(state, decision)).kind === 'accepted'
  } finally {
    if (!accepted) runner.unreserve(decision)
  }
  if (!accepted) return { kind: 'lost' }
  definitions.notePublished(hash)
  runner.execute(decision.started)
  return { kind: 'fired' }
}

// Documents are JSON by construction.
const textOf = (document: WorkflowDocument): string => canonicalJson(document as unknown as JsonValue)
