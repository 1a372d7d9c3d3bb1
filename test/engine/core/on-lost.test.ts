/** What becomes of a step whose runner is gone: what the node says, else what its effect allows. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded, timedOut } from './run-scene.ts'

const lost = async (node: JsonObject) => {
  const scene = sceneOf({ nodes: { a: { kind: 'noop', ...node } } })
  await scene.start()
  scene.capacity = 0
  await scene.lose('a')
  return { status: scene.record('a').status, run: scene.state.run.status }
}

test.each([
  [{ sideEffect: 'unsafe' }, 'APPROVAL_REQUIRED'],
  [{ sideEffect: 'pure' }, 'REROUTED'],
  [{ sideEffect: 'unsafe', onLost: 'retry' }, 'REROUTED'],
  [{ sideEffect: 'pure', onLost: 'ask' }, 'APPROVAL_REQUIRED'],
  [{ sideEffect: 'unsafe', onLost: 'verify' }, 'REROUTED'],
])('a lost %o is %s', async (node, status) => {
  expect((await lost(node)).status).toBe(status)
})

test('a node that says so fails when its runner is gone', async () => {
  expect(await lost({ sideEffect: 'unsafe', onLost: 'fail' })).toEqual({ status: 'FAILED', run: 'FAILED' })
})

test('one that was handed back after it had begun follows the same rule', async () => {
  const scene = sceneOf({ nodes: { a: { kind: 'noop', sideEffect: 'unsafe', onLost: 'fail' } } })
  await scene.start()
  await scene.end('a', { kind: 'handed-back', begun: true })
  expect(scene.record('a').error?.code).toBe('indeterminate_effect')
})

test('the lost attempt promises no other one while somebody has to decide', async () => {
  const scene = sceneOf({ nodes: { a: { kind: 'noop', sideEffect: 'unsafe' } } })
  await scene.start()
  const decision = await scene.lose('a')
  const [attempt] = decision?.checkpoint.writes.attempts ?? []
  expect(attempt?.error).toMatchObject({ code: 'runner_lost', hint: expect.stringContaining('to decide') })
})

/** The step is claimed; that it began was taken back by a failover, or never happened. */
async function unbegun(node: JsonObject = {}): Promise<Scene> {
  const scene = sceneOf({ nodes: { a: { kind: 'noop', sideEffect: 'unsafe', ...node } } })
  scene.capacity = 0
  await scene.start()
  scene.capacity = 1
  expect(await scene.claim()).toEqual(['a'])
  scene.capacity = 0
  return scene
}

test.each([
  [succeeded(7), 'SUCCESS', 'succeeded'],
  [failed('csv_invalid', false), 'FAILED', 'failed'],
  [failed(), 'RETRY', 'failed'],
  [timedOut(), 'RETRY', 'timed-out'],
  [{ kind: 'parked', until: 2_000_000, reason: 'r', output: json(7) }, 'WAITING', 'parked'],
] as const)(
  'an end %o whose beginning was lost tells of that, too: nothing is done twice',
  async (end, status, outcome) => {
    const scene = await unbegun({ retry: { maxAttempts: 2 } })
    const decision = await scene.end('a', end)
    expect(scene.record('a')).toMatchObject({ status, attempt: 1, lease: null, startedAt: scene.now })
    expect(decision?.checkpoint.writes.attempts).toMatchObject([{ number: 1, outcome }])
  },
)

test.each([
  [{ kind: 'handed-back', begun: false }, 'REROUTED'],
  [{ kind: 'handed-back', begun: true }, 'APPROVAL_REQUIRED'],
  [{ kind: 'cancelled' }, 'CANCELLED'],
] as const)('an end %o whose beginning was lost ends no attempt', async (end, status) => {
  const scene = await unbegun()
  const decision = await scene.end('a', end)
  expect(scene.record('a')).toMatchObject({ status, attempt: 0 })
  expect(decision?.checkpoint.writes.attempts).toEqual([])
})
