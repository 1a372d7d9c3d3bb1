import { expect, test } from 'vitest'
import type { EngineEvent } from '../../../src-engine/model/event.ts'
import { runId } from '../../../src-engine/model/ids.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { RunStatus } from '../../../src-engine/model/run-status.ts'
import type { RunNotices } from '../../../src-engine/protocol/notices.ts'
import { runNotice, runsToTell } from '../../../src-engine/protocol/notices.ts'

const moved = (id: string, from: RunStatus, to: RunStatus): EngineEvent =>
  ({ runId: runId(id), body: { type: 'run.changed', from, to, set: {} } }) as unknown as EngineEvent

const events = [
  moved('failed', 'RUNNING', 'FAILED'),
  moved('late', 'WAITING', 'TIMED_OUT'),
  moved('stuck', 'COMPENSATING', 'COMPENSATION_FAILED'),
  moved('undone', 'COMPENSATING', 'COMPENSATED'),
  moved('undoing', 'RUNNING', 'COMPENSATING'),
  moved('done', 'RUNNING', 'SUCCEEDED'),
  moved('stopped', 'RUNNING', 'CANCELLED'),
  // Only another field of a run that had failed long ago.
  moved('old', 'FAILED', 'FAILED'),
]

test.for<readonly [RunNotices, readonly string[]]>([
  ['none', []],
  ['failed', ['failed', 'late', 'stuck', 'undone']],
  ['ended', ['failed', 'late', 'stuck', 'undone', 'done', 'stopped']],
])('of these runs, who wants to know of %s is told of %j', ([which, told]) => {
  expect(runsToTell(events, which)).toEqual(told)
})

const run = (part: Partial<RunRecord>): RunRecord =>
  ({
    id: runId('run_1'),
    generation: 1,
    status: 'FAILED',
    workflowTitle: 'Orders',
    parentRunId: null,
    error: { message: 'No stock.' },
    ...part,
  }) as RunRecord

test('a notice says which run ended how and why, and leads to it', () => {
  expect(runNotice([run({})])).toEqual({
    id: 'run run_1 1 FAILED',
    title: 'Orders failed',
    body: 'No stock.',
    leadsTo: { kind: 'run', runId: 'run_1', nodeId: null },
  })
})

test('runs that end at once are one notice, and parts of other runs none', () => {
  const child = run({ id: runId('run_0'), parentRunId: runId('run_1') })
  expect(runNotice([child])).toBeNull()
  expect(runNotice([child, run({}), run({ id: runId('run_2') })])?.title).toBe('Orders failed (+1)')
})

test('the same run that fails again is news', () => {
  expect(runNotice([run({ generation: 2 })])?.id).not.toBe(runNotice([run({})])?.id)
})
