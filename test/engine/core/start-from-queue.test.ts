/** What stands in a queue is claimed and begun by one decision, if nothing has to be done before it begins. */

import { expect, test } from 'vitest'
import { pauseRun } from '../../../src-engine/core/control/pause.ts'
import type { DecisionContext } from '../../../src-engine/core/draft.ts'
import { startBehindGate } from '../../../src-engine/core/policy/gate.ts'
import type { RunState } from '../../../src-engine/core/run-state.ts'
import { startFromQueue } from '../../../src-engine/core/start-from-queue.ts'
import { gateStepId } from '../../../src-engine/model/engine-steps.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Scene } from './run-scene.ts'
import { sceneOf } from './run-scene.ts'

/** A run whose steps stand in the queue. */
async function queued(nodes: JsonObject): Promise<Scene> {
  const scene = sceneOf({ nodes })
  scene.capacity = 0
  await scene.start()
  scene.capacity = 1
  return scene
}

/** As a runner takes what it found: that alone. */
const taking = (scene: Scene, node: string) => {
  const { id } = scene.record(node)
  return (state: RunState, context: DecisionContext) => {
    const claimant = context.claimant === null ? null : { ...context.claimant, takesEarlier: false }
    return startFromQueue(state, { ...context, claimant }, id)
  }
}

test('it is claimed and begun by one decision, which tells of both, and nothing else is', async () => {
  const scene = await queued({ a: { kind: 'noop' }, b: { kind: 'noop' } })
  const decision = await scene.decide(taking(scene, 'b'))
  expect(scene.statuses()).toEqual({ a: 'REGISTERED', b: 'RUNNING' })
  expect(scene.started).toEqual(['b'])
  expect(scene.record('b')).toMatchObject({ attempt: 1, lease: { fence: { counter: 1 } } })
  const told = decision?.checkpoint.events.map(({ body }) => body.type === 'invocation.changed' && body.to)
  expect(told).toEqual(expect.arrayContaining(['PENDING', 'RUNNING']))
})

test.each([
  [
    'what has begun',
    { a: { kind: 'noop' } },
    async (scene: Scene) => {
      await scene.claim()
    },
  ],
  ['what takes a permit', { a: { kind: 'noop', concurrency: { running: 'TASK', limit: 1 } } }, null],
  [
    'what its run holds back',
    { a: { kind: 'noop' } },
    async (scene: Scene) => {
      await scene.decide((state, context) => pauseRun(state, context), { actor: 'operator' })
    },
  ],
])('%s is left as it is', async (_what, nodes, before) => {
  const scene = await queued(nodes)
  await before?.(scene)
  const { status } = scene.record('a')
  expect(await scene.decide(taking(scene, 'a'))).toBeNull()
  expect(scene.record('a').status).toBe(status)
})

test('the gate of a run, which is opened and not executed, is left to who claims it', async () => {
  const scene = sceneOf({ nodes: { a: { kind: 'noop' } } })
  await scene.decide((state, context) => startBehindGate(state, context, { version: null, verdict: null }))
  expect(scene.statuses()).toEqual({ [gateStepId]: 'REGISTERED' })
  expect(await scene.decide(taking(scene, gateStepId))).toBeNull()
  await scene.claim()
  await scene.begin(gateStepId)
  expect(scene.statuses()).toMatchObject({ [gateStepId]: 'SUCCESS' })
  expect(scene.record('a')).toBeDefined()
})
