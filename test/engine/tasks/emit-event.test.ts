/** Events as the task tells them: here with the end of its attempt, in a cluster under an id that repeats share. */

import { expect, test } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { ClusterEvent, ClusterEvents } from '../../../src-engine/tasks/emit-event/cluster-events.ts'
import { emitEventMock } from '../../../src-engine/tasks/emit-event/mock.ts'
import { createEmitEventRun } from '../../../src-engine/tasks/emit-event/run.ts'
import { emitEventSpec } from '../../../src-engine/tasks/emit-event/spec.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'

const parametersOf = (raw: JsonObject) => emitEventSpec.parameters.parse({ name: 'paid', ...raw })

/** Clusters that take every event once. */
function clusters() {
  const told: ClusterEvent[] = []
  const clusterEvents: ClusterEvents = async (event) => {
    const isKnown = told.some(({ messageId }) => messageId === event.messageId)
    told.push(event)
    return isKnown ? 'repeated' : 'accepted'
  }
  return { told, task: createEmitEventRun({ clusterEvents }) }
}

test('an event for a cluster goes there with all that was said of it, and the input goes on', async () => {
  const { told, task } = clusters()
  const context = taskContext()
  const raw = { cluster: ' plant ', payload: { order: 7 }, correlation: 7, run: 'run_9' }
  const outcome = await task.execute(parametersOf(raw), context)
  expect(outcome).toEqual({ kind: 'completed', output: context.input, ports: null })
  expect(told).toEqual([
    {
      ...{ cluster: 'plant', name: 'paid', payload: { order: 7 }, correlation: '7', runId: 'run_9' },
      messageId: 'of:key-1',
    },
  ])
  expect(context.lines).toEqual(['task info Told to plant.'])
})

test('what is sent again after a crash has the id of the first time, in another run another one', async () => {
  const { told, task } = clusters()
  const again = taskContext({ attempt: 2 })
  await task.execute(parametersOf({ cluster: 'plant' }), taskContext())
  await task.execute(parametersOf({ cluster: 'plant' }), again)
  await task.execute(parametersOf({ cluster: 'plant' }), taskContext({ idempotencyKey: 'key-2' }))
  await task.execute(parametersOf({ cluster: 'plant', messageId: ' invoice-7 ' }), taskContext())
  expect(told.map(({ messageId }) => messageId)).toEqual(['of:key-1', 'of:key-1', 'of:key-2', 'invoice-7'])
  expect(again.lines).toEqual(['task info plant had it already: told once.'])
})

test('without a cluster it is told where the run is, and no cluster hears of it', async () => {
  const { told, task } = clusters()
  const context = taskContext()
  const parts = { name: 'paid', payload: context.input, correlation: null, runId: null }
  expect(await task.execute(parametersOf({}), context)).toEqual({
    ...{ kind: 'emits', ...parts, output: context.input },
    messageId: `of:${context.invocationId}`,
  })
  expect(told).toEqual([])
})

test('an engine that knows no clusters says so, and what a cluster says is the step’s error', async () => {
  const alone = createEmitEventRun({})
  expect(
    await thrownBy(() => alone.execute(parametersOf({ cluster: 'plant' }), taskContext())),
  ).toMatchObject({
    code: 'cluster_unknown',
    message: 'There is no cluster “plant”: this engine knows none.',
    details: { cluster: 'plant' },
  })
  const away = createEmitEventRun({
    clusterEvents: () => Promise.reject(new SagasmithError('redis_unreachable')),
  })
  expect(await thrownBy(() => away.execute(parametersOf({ cluster: 'plant' }), taskContext()))).toMatchObject(
    {
      code: 'redis_unreachable',
      retryable: true,
    },
  )
})

test('on mocks a cluster hears nothing, and an event of one’s own place is told as ever', () => {
  const context = taskContext()
  expect(emitEventMock(parametersOf({ cluster: 'plant' }), context)).toMatchObject({
    kind: 'completed',
    output: context.input,
  })
  expect(context.lines).toEqual(['task info Mocked: “paid” was not told to plant.'])
  expect(emitEventMock(parametersOf({}), context)).toBeNull()
})

test('the card says where it goes', () => {
  expect(emitEventSpec.summary({ name: 'paid' })).toBe('paid')
  expect(emitEventSpec.summary({ name: 'paid', cluster: 'plant' })).toBe('paid to plant')
})
