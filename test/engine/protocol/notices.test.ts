import { expect, test } from 'vitest'
import type { EngineEvent, EventBody } from '../../../src-engine/model/event.ts'
import { runId, workflowId } from '../../../src-engine/model/ids.ts'
import { invocationMachine } from '../../../src-engine/model/invocation-status.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { RunStatus } from '../../../src-engine/model/run-status.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import type { InboxEntry } from '../../../src-engine/protocol/approvals.ts'
import type { RunNotices } from '../../../src-engine/protocol/notices.ts'
import {
  decisionNotice,
  newsMax,
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
    workflowId: workflowId('orders'),
    workflowTitle: 'Orders',
    parentRunId: null,
    error: { message: 'No stock.' },
    ...part,
  }) as RunRecord

test('a notice says which run ended how and why, and leads to it', () => {
  expect(runNotice([run({})])).toEqual({
    news: ['run run_1 1 FAILED'],
    title: 'Orders failed',
    body: 'No stock.',
    leadsTo: { kind: 'run', runId: 'run_1', nodeId: null },
  })
})

test('runs that end at once are one notice, and parts of other runs none', () => {
  const child = run({ id: runId('run_0'), parentRunId: runId('run_1') })
  expect(runNotice([child])).toBeNull()
  const both = runNotice([child, run({}), run({ id: runId('run_2') })])
  expect(both?.title).toBe('Orders failed (+1)')
  // Told one by one it would be the same news.
  expect(both?.news).toEqual(['run run_1 1 FAILED', 'run run_2 1 FAILED'])
})

test('that the engine did its chores is no news, and does not hide what is', () => {
  const chore = run({
    id: runId('run_0'),
    workflowId: workflowId('core.recover-pending'),
    status: 'SUCCEEDED',
  })
  expect(runNotice([chore])).toBeNull()
  expect(runNotice([chore, run({})])).toEqual(runNotice([run({})]))
})

test('what waits for a person is one notice, and each of it is news of its own', () => {
  const entry = (id: string, revision: number) =>
    ({
      kind: 'approval',
      invocationId: id,
      revision,
      escalatedAt: null,
      notices: [],
      title: 'Ship?',
    }) as unknown as InboxEntry
  const news = decisionNotice([entry('a', 1), entry('b', 2)])?.news
  expect(news).toEqual([...(decisionNotice([entry('a', 1)])?.news ?? []), 'decision b 2 '])
  const many = Array.from({ length: newsMax + 1 }, (_, index) => entry(`i${index}`, 1))
  expect(decisionNotice(many)?.news).toHaveLength(newsMax)
})

test('the same run that fails again is news', () => {
  expect(runNotice([run({ generation: 2 })])?.news).not.toEqual(runNotice([run({})])?.news)
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
