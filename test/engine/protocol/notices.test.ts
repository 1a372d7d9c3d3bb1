import { expect, test } from 'vitest'
import type { EngineEvent, EventBody } from '../../../src-engine/model/event.ts'
import { runId } from '../../../src-engine/model/ids.ts'
import { invocationMachine } from '../../../src-engine/model/invocation-status.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { RunStatus } from '../../../src-engine/model/run-status.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import type { RunNotices } from '../../../src-engine/protocol/notices.ts'
import {
  runNotice,
  runsToTell,
  touchesInbox,
  touchesLetters,
  touchesOverview,
} from '../../../src-engine/protocol/notices.ts'

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

const touching = (body: object, kind = 'upstream') =>
  ({ runId: runId('r'), cause: { kind, by: null, detail: null }, body: body as EventBody }) as EngineEvent

/** Every change that a run or a step may make, whether its table allows it or not. */
const moves = (type: string, statuses: readonly string[]): readonly EngineEvent[] =>
  statuses.flatMap((from) =>
    statuses.map((to) => touching({ type, from, to, set: { finishedAt: 1 }, attempt: null })),
  )

test('who looks at all runs hears of whatever the inbox, the dead letters and the notices of runs wait for', () => {
  const all = [
    ...moves('invocation.changed', invocationMachine.statuses),
    ...moves('run.changed', runMachine.statuses),
    touching({ type: 'register.changed', key: 'k', value: null }, 'dlq.discard'),
  ]
  const waitedFor = all.filter(
    (event) => touchesInbox(event) || touchesLetters(event) || runsToTell([event], 'ended').length > 0,
  )
  expect(waitedFor.length).toBeGreaterThan(200)
  expect(waitedFor.filter((event) => !touchesOverview(event))).toEqual([])
})

test('that a step goes its usual way is news for its own run only', () => {
  const usual = ['REGISTERED', 'PENDING', 'RUNNING', 'RETRY', 'WAITING', 'RESUMED', 'SUCCESS', 'CANCELLED']
  expect(moves('invocation.changed', usual).some(touchesOverview)).toBe(false)
  expect(touchesOverview(touching({ type: 'invocation.registered' }))).toBe(false)
  expect(touchesOverview(touching({ type: 'node.skipped' }))).toBe(false)
  expect(touchesOverview(touching({ type: 'run.created' }))).toBe(true)
})
