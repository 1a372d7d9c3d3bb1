/** What is passed over as usual is nothing that anybody waits for, and nothing of which a result may be held back. */

import { expect, test } from 'vitest'
import type { EventBody, EventDraft } from '../../../src-engine/model/event.ts'
import { packEvents } from '../../../src-engine/model/event-codec.ts'
import { invocationId, nodeId, opId, runId } from '../../../src-engine/model/ids.ts'
import type { Dispatch } from '../../../src-engine/model/invocation.ts'
import { invocationStatuses } from '../../../src-engine/model/invocation-status.ts'
import { newInvocation } from '../../../src-engine/model/new-records.ts'
import type { OutputCheck } from '../../../src-engine/model/output/output-check.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import { isUsual } from '../../../src-engine/model/usual-events.ts'
import { touchesOverview } from '../../../src-engine/protocol/notices.ts'

const run = runId('r')
const id = invocationId('r/n')
const why = { kind: 'upstream', by: null, detail: null } as const
const draft = (body: EventBody, kind: string = why.kind): EventDraft => ({
  ...{ runId: run, invocationId: id, cause: { ...why, kind }, body },
})

const check: OutputCheck = {
  ...{ phase: 'content', decision: 'quarantine', rule: null, severity: 'high', reason: '', policy: '' },
  ...{ at: 0, standing: 'held', findings: null, held: null, input: null, ports: null, dependents: [] },
  ...{ dependentsCount: 0, with: null, decided: null },
}
const plain: Dispatch = {
  ...{ firstClaimedAt: null, schedulingAttempts: 1, lastFailedRunner: null, pauseRequestedAt: null },
  beatAt: null,
}
const dispatches: readonly (Dispatch | null)[] = [null, plain, { ...plain, check: null }, { ...plain, check }]
const record = newInvocation({
  id,
  runId: run,
  nodeId: nodeId('n'),
  taskKind: 'noop',
  registeredAt: 0,
  cause: why,
})

/** Every change of a step, whether its table allows it or not, with and without a check of its result. */
const ofSteps = dispatches.flatMap((dispatch): readonly EventBody[] => [
  { type: 'invocation.registered', invocation: { ...record, dispatch } },
  ...invocationStatuses.flatMap((from) =>
    invocationStatuses.map(
      (to): EventBody => ({ type: 'invocation.changed', from, to, set: { dispatch }, attempt: null }),
    ),
  ),
])
const others: readonly EventBody[] = [
  { type: 'node.skipped', nodeId: nodeId('n'), path: '', generation: 0 },
  { type: 'register.changed', key: 'k', value: null },
  { type: 'epoch.changed', from: 1, to: 2, reason: '' },
  ...runMachine.statuses.map((to): EventBody => ({ type: 'run.changed', from: 'RUNNING', to, set: {} })),
]
const all = [...ofSteps, ...others].flatMap((body) => [draft(body), draft(body, 'dlq.discard')])

test('no usual event says anything to who looks at all runs', () => {
  const usual = all.filter(isUsual)
  expect(usual.length).toBeGreaterThan(100)
  expect(usual.filter(touchesOverview)).toEqual([])
})

test('no packed text of a usual event tells of a check', () => {
  const group = { epoch: 1, runId: run, at: 0, opId: opId('o'), actor: { kind: 'run', id: null } } as const
  const tells = (event: EventDraft): boolean => /"check":\{/.test(packEvents(group, [event]))
  expect(all.filter(tells).length).toBeGreaterThan(invocationStatuses.length)
  expect(all.filter((event) => isUsual(event) && tells(event))).toEqual([])
})

test('a step that is registered, begins, is tried again and ends well is usual', () => {
  const way = ['REGISTERED', 'PENDING', 'RUNNING', 'RETRY', 'PENDING', 'RUNNING', 'SUCCESS'] as const
  const moves = way.slice(1).map((to, index): EventBody => {
    return { type: 'invocation.changed', from: way[index] ?? 'REGISTERED', to, set: {}, attempt: null }
  })
  expect(
    [{ type: 'invocation.registered', invocation: record } as EventBody, ...moves]
      .map((body) => draft(body))
      .every(isUsual),
  ).toBe(true)
})
