/** The time for all attempts of a node counts while it waits too. */

import { describe, expect, test } from 'vitest'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { wake } from '../../../src-engine/core/requests.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { json, sceneOf, sceneStart, succeeded } from './run-scene.ts'

const total = { timeout: { totalMs: 1_000 } }

async function waiting(node: JsonObject, end: (now: number) => AttemptEnd): Promise<Scene> {
  const scene = sceneOf({
    nodes: {
      a: { kind: 'noop', ...total, ...node },
      b: { kind: 'noop' },
      ...(node['kind'] === 'map' ? { w: { kind: 'noop', parent: 'a' } } : {}),
    },
    edges: edgesOf('a>b'),
  })
  await scene.start()
  await scene.end('a', end(scene.now))
  expect(scene.record('a').status).toBe('WAITING')
  return scene
}

const wakeUp = (scene: Scene) => {
  const { id } = scene.record('a')
  return scene.decide((state, context) => wake(state, context, id), { actor: 'timer' })
}

const parkedFor =
  (ms: number) =>
  (now: number): AttemptEnd => ({ kind: 'parked', until: now + ms, reason: 'waits', output: json(1) })

const items: AttemptEnd = {
  kind: 'opens',
  wait: { kind: 'items', items: json([1, 2]), count: 2, limit: 2, tolerated: 0 },
}

describe('a step that waits beyond its total time', () => {
  test('of a timer fails when its time is over, not when the timer is due', async () => {
    const scene = await waiting({}, parkedFor(60_000))
    expect(scene.record('a').notBefore).toBe(sceneStart + 1_000)
    scene.now += 1_000
    await wakeUp(scene)
    expect(scene.record('a')).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'task_timeout', details: { totalMs: 1_000 } },
    })
    expect(scene.state.run.status).toBe('TIMED_OUT')
  })

  test('of a signal fails, whatever its timeout port says', async () => {
    const scene = await waiting({}, () => ({
      kind: 'awaits',
      wait: { kind: 'signal', name: 'go', correlation: null, onTimeout: 'port' },
      until: null,
      output: json(1),
    }))
    scene.now += 1_000
    await wakeUp(scene)
    expect(scene.record('a').status).toBe('TIMEOUT')
  })

  test('of the items of a map fails, and its items are cancelled', async () => {
    const scene = await waiting({ kind: 'map' }, () => items)
    scene.now += 1_000
    await wakeUp(scene)
    expect(scene.record('a').status).toBe('TIMEOUT')
    expect(scene.record('w@a:0').cancelRequestedAt).toBe(scene.now)
    for (const item of ['w@a:0', 'w@a:1']) await scene.end(item, { kind: 'cancelled' })
    expect(scene.state.run.status).toBe('TIMED_OUT')
  })

  test('goes by its error port where it has one', async () => {
    const scene = sceneOf({
      nodes: { a: { kind: 'noop', ...total }, b: { kind: 'noop' } },
      edges: edgesOf('a:error>b'),
    })
    await scene.start()
    await scene.end('a', parkedFor(60_000)(scene.now))
    scene.now += 1_000
    await wakeUp(scene)
    expect(scene.statuses()).toEqual({ a: 'TIMEOUT', b: 'RUNNING' })
  })
})

test('a wait that ends in time ends well, however late somebody looks', async () => {
  const scene = await waiting({}, parkedFor(500))
  expect(scene.record('a').notBefore).toBe(sceneStart + 500)
  scene.now += 5_000
  await wakeUp(scene)
  expect(scene.record('a').status).toBe('SUCCESS')
})

test('a map that is done in time keeps nothing of its bound', async () => {
  const scene = await waiting({ kind: 'map' }, () => items)
  for (const item of ['w@a:0', 'w@a:1']) await scene.end(item, succeeded(1))
  expect(scene.record('a')).toMatchObject({ status: 'SUCCESS', notBefore: null })
})
