/** When an attempt's time is over, and when nobody expects that any more. */

import { expect, test } from 'vitest'
import { invocationId, nodeId, runId } from '../../../src-engine/model/ids.ts'
import { newInvocation } from '../../../src-engine/model/new-records.ts'
import { armTimeout } from '../../../src-engine/runtime/attempt-deadline.ts'
import type { AttemptWork } from '../../../src-engine/runtime/attempt-work.ts'
import { createDeadlines } from '../../../src-engine/runtime/deadlines.ts'
import { createExecutions } from '../../../src-engine/runtime/execution.ts'
import { SimulatedProcess, World } from '../../simulation/world.ts'

const minute = 60_000

/** An attempt whose time is over in so long; null for one that has as long as it takes. */
function armed(spanMs: number | null) {
  const world = new World()
  const clock = new SimulatedProcess(world, 1).clock()
  const record = newInvocation({
    id: invocationId('r/a'),
    runId: runId('r'),
    nodeId: nodeId('a'),
    taskKind: 'noop',
    registeredAt: 0,
    cause: { kind: 'upstream', by: null, detail: null },
    deadlineAt: spanMs === null ? null : clock.now() + spanMs,
  })
  const fence = { epoch: 1, counter: 1 }
  const execution = createExecutions().open({ runId: record.runId, invocationId: record.id, fence })
  const deadlines = createDeadlines(clock, () => clock.monotonic())
  const work: Pick<AttemptWork, 'record'> = { record }
  const deadline = armTimeout({ clock, deadlines }, work, execution)
  const pass = (ms: number): Promise<unknown> => world.run(world.now + ms, () => false)
  return { clock, execution, deadline, pass }
}

test('an attempt is stopped once its time is over, and not before', async () => {
  const { execution, deadline, pass } = armed(minute)
  await pass(minute - 1)
  expect([execution.stopReason(), deadline.isPast()]).toEqual([null, false])
  await pass(1)
  expect([execution.stopReason(), deadline.isPast()]).toEqual(['timeout', true])
})

test('one whose time was over before it began is stopped at once', () => {
  expect(armed(0).execution.stopReason()).toBe('timeout')
  expect(armed(null).execution.stopReason()).toBeNull()
})

test('standing still takes its deadline away, and going on gives a later one', async () => {
  const { clock, execution, deadline, pass } = armed(minute)
  execution.setDeadline(null)
  await pass(10 * minute)
  expect([execution.stopReason(), deadline.isPast()]).toEqual([null, false])
  execution.setDeadline(clock.now() + minute)
  await pass(minute)
  expect(execution.stopReason()).toBe('timeout')
})

test('what has ended is stopped by no deadline, neither its own nor one that is told later', async () => {
  const { clock, execution, deadline, pass } = armed(minute)
  deadline.cancel()
  await pass(2 * minute)
  expect(execution.stopReason()).toBeNull()
  execution.setDeadline(clock.now() + minute)
  await pass(2 * minute)
  expect(execution.stopReason()).toBeNull()
})
