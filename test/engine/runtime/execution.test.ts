import { expect, test } from 'vitest'
import { invocationId, runId } from '../../../src-engine/model/ids.ts'
import { createExecutions } from '../../../src-engine/runtime/execution.ts'

const work = (counter: number) => {
  return { runId: runId('r'), invocationId: invocationId('r/a'), fence: { epoch: 1, counter } }
}

test('work that several find with nobody at it is taken up by one, and again only with another fence', () => {
  const executions = createExecutions()
  expect([executions.takeUp(work(1)), executions.takeUp(work(1))]).toEqual([true, false])
  const execution = executions.open(work(1))
  expect(executions.takeUp(work(1))).toBe(false)
  executions.close(execution)
  expect([executions.takeUp(work(2)), executions.takeUp(work(2))]).toEqual([true, false])
})

test('work that was claimed anew before it was opened may be taken up with its new fence', () => {
  const executions = createExecutions()
  expect([executions.takeUp(work(1)), executions.takeUp(work(2))]).toEqual([true, true])
})

test('what runs ahead of its claim holds a lease once that is durable, and is lost where it was refused', () => {
  const executions = createExecutions()
  const execution = executions.open({ ...work(1), ahead: true })
  expect([executions.all(), executions.claimed()]).toEqual([[execution], []])
  execution.settleClaim('durable')
  expect(executions.claimed()).toEqual([execution])
  const refused = executions.open({ ...work(2), ahead: true })
  refused.stop('cancel')
  refused.settleClaim('refused')
  expect([refused.claim(), refused.stopReason(), executions.claimed()]).toEqual(['refused', 'cancel', []])
})
