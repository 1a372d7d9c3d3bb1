/** Which ends leave a dead letter, and that it is written together with the end. */

import { expect, test } from 'vitest'
import { settleLetters } from '../../../../src-engine/core/control/dead-letters.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { Scene } from '../run-scene.ts'
import { failed, json, sceneOf, succeeded, timedOut } from '../run-scene.ts'

const operator = { actor: 'operator', claims: false } as const

async function started(node: JsonObject, edges: JsonObject = {}): Promise<Scene> {
  const scene = sceneOf({ nodes: { a: { kind: 'noop', ...node }, b: { kind: 'noop' } }, edges })
  await scene.start()
  // Where a node says who may run it, only the store's claim knows.
  for (const node of await scene.claim()) await scene.begin(node)
  return scene
}

test('a failure that nobody handles leaves one, with what a person needs to know', async () => {
  const scene = await started({ priority: 'HIGH', tags: ['night'] })
  const decision = await scene.end('a', failed('http_status', false))
  const { id } = scene.record('a')
  expect(decision?.checkpoint.writes.deadLetters).toEqual([
    {
      id: `${id}:http_status`,
      runId: scene.state.run.id,
      invocationId: id,
      workflowId: 'w',
      nodeId: 'a',
      reason: 'http_status',
      message: 'It was http_status.',
      lastStatus: 'RUNNING',
      at: scene.now,
      attempts: 1,
      input: json({}),
      body: expect.objectContaining({ priority: 'HIGH', tags: ['night'], failureCount: 1 }),
    },
  ])
})

test('a timeout leaves one', async () => {
  const scene = await started({})
  await scene.end('a', timedOut())
  expect(scene.deadLetters).toEqual(['task_timeout'])
})

test('tries before the last leave none [C10]', async () => {
  const scene = await started({ retry: { maxAttempts: 2, delayMs: 10, jitter: 0 } })
  await scene.end('a', failed())
  expect(scene.deadLetters).toEqual([])
  scene.now += 10
  await scene.claim()
  await scene.begin('a')
  await scene.end('a', failed())
  expect(scene.deadLetters).toEqual(['task_failed'])
})

test('a failure that its error port handles leaves none, nor does a success', async () => {
  const scene = await started({}, edgesOf('a:error>b'))
  await scene.end('a', failed('task_failed', false))
  await scene.end('b', succeeded())
  expect(scene.deadLetters).toEqual([])
})

test('what somebody did with a letter is in the history of its run, which stays as it is [C14]', async () => {
  const scene = await started({})
  const end = await scene.end('a', failed('task_failed', false))
  const [letter] = end?.checkpoint.writes.deadLetters ?? []
  await scene.end('b', { kind: 'cancelled' })
  const { status, finishedAt } = scene.state.run
  const decision = await scene.decide(
    (state, context) => settleLetters(state, context, [letter?.id ?? '']),
    operator,
  )
  expect(decision?.checkpoint.writes.settledLetters).toEqual([letter?.id])
  expect(decision?.checkpoint.events).toHaveLength(1)
  expect(scene.state.run).toMatchObject({ status, finishedAt })
})
