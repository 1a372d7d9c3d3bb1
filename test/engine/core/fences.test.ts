/** Who says something of a step is heard only under the fence that the step has now, of this epoch. */

import { expect, test } from 'vitest'
import { finishAttempt, finishAttempts } from '../../../src-engine/core/finish-attempt.ts'
import { recoverInvocation } from '../../../src-engine/core/recover.ts'
import { json, sceneOf, succeeded } from './run-scene.ts'

const one = (node = {}) => sceneOf({ nodes: { a: { kind: 'noop', ...node } }, edges: {} })

test.for([
  { what: 'another claim', epoch: 0, counter: 1 },
  { what: 'the same claim of another epoch, which a failover took back', epoch: 1, counter: 0 },
])('nothing counts of $what [C18] [G1]', async ({ epoch, counter }) => {
  const scene = one()
  await scene.start()
  const { id, lease } = scene.record('a')
  const held = lease?.fence ?? { epoch: 0, counter: 0 }
  const fence = { epoch: held.epoch + epoch, counter: held.counter + counter }
  const fact = { invocationId: id, fence, end: succeeded(), input: json({}), log: null }
  const { state } = scene
  expect(await scene.decide((_, context) => finishAttempt(state, context, fact))).toBeNull()
  expect(await scene.decide((_, context) => finishAttempts(state, context, [fact]))).toBeNull()
  expect(
    await scene.decide((_, context) => recoverInvocation(state, context, { id, fence, random: 0 })),
  ).toBeNull()
  expect(scene.record('a')).toMatchObject({ status: 'RUNNING', lease })
})

test('a deadline that passed while nobody was there is tried again within the whole time only [T7]', async () => {
  for (const [totalMs, status] of [
    [1_100, 'TIMEOUT'],
    [1_101, 'REROUTED'],
  ] as const) {
    const retry = { maxAttempts: 2, delayMs: 1_000, jitter: 0 }
    const scene = one({ retry, timeout: { attemptMs: 100, totalMs } })
    await scene.start()
    scene.now += 100
    await scene.lose('a')
    expect(scene.record('a')).toMatchObject({ status, failureCount: 1 })
  }
})
