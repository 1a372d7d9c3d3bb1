/** Joins that wait only so long, and what a join makes of what its branches brought. */

import { describe, expect, test } from 'vitest'
import { pauseNode, pauseRun, resumeNode, resumeRun } from '../../../src-engine/core/control/pause.ts'
import { retryRun } from '../../../src-engine/core/control/retry-run.ts'
import { skipNode } from '../../../src-engine/core/control/skip.ts'
import { cancelRun, wake } from '../../../src-engine/core/requests.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded } from './run-scene.ts'

const minutes = (amount: number, more: JsonObject = {}): JsonObject => ({
  onTimeout: 'port',
  amount,
  unit: 'minutes',
  ...more,
})

/** Branches `a`, `b` and `c` from a fork into the join `j`; `after` and `late` follow it. */
const branched = (parameters: JsonObject, more: JsonObject = {}, document: JsonObject = {}): Scene =>
  sceneOf({
    nodes: {
      s: { kind: 'noop' },
      a: { kind: 'noop' },
      b: { kind: 'noop' },
      c: { kind: 'noop' },
      j: { kind: 'join', parameters, ...more },
      after: { kind: 'noop' },
      late: { kind: 'noop' },
    },
    edges: {
      ...edgesOf('s>a', 's>b', 's>c', 'a>j', 'b>j', 'c>j', 'j>after'),
      ...(parameters['onTimeout'] === 'port'
        ? { t: { from: { node: 'j', port: 'timeout' }, to: { node: 'late', port: 'in' } } }
        : { t: { from: { node: 'after', port: 'out' }, to: { node: 'late', port: 'in' } } }),
    },
    ...document,
  })

const wakeJoin = (scene: Scene) =>
  scene.decide((state, context) => wake(state, context, scene.record('j').id), { actor: 'timer' })

const begin = async (scene: Scene): Promise<Scene> => {
  await scene.start()
  await scene.end('s')
  return scene
}

describe('a join with a time', () => {
  test('waits from the first branch that comes, and goes on as ever when all come in time', async () => {
    const scene = await begin(branched(minutes(5)))
    expect(scene.statuses()).not.toHaveProperty('j')
    await scene.end('a', succeeded(1))
    expect(scene.record('j')).toMatchObject({
      status: 'WAITING',
      wait: { kind: 'join' },
      notBefore: scene.now + 300_000,
    })
    scene.now += 1_000
    await scene.end('b', succeeded(2))
    expect(scene.record('j').notBefore).toBe(scene.now + 299_000)
    await scene.end('c', succeeded(3))
    expect(scene.record('j')).toMatchObject({ status: 'SUCCESS', output: json({ a: 1, b: 2, c: 3 }) })
    expect(scene.statuses()).toMatchObject({ after: 'RUNNING' })
    await scene.end('after', succeeded('done'))
    expect(scene.skipped()).toEqual(['late'])
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('goes on by its timeout way with those that came; what comes later changes nothing', async () => {
    const scene = await begin(branched(minutes(5)))
    await scene.end('a', succeeded(1))
    await scene.end('c', succeeded(3))
    expect(await wakeJoin(scene)).toBeNull()
    scene.now += 300_000
    await wakeJoin(scene)
    expect(scene.record('j')).toMatchObject({
      status: 'SUCCESS',
      ports: ['timeout'],
      output: json({ a: 1, c: 3 }),
    })
    expect(scene.record('late').status).toBe('RUNNING')
    expect(scene.skipped()).toEqual(['after'])
    expect(scene.record('b').cancelRequestedAt).toBeNull()
    await scene.end('b', succeeded(2))
    await scene.end('late', succeeded('without b'))
    expect(scene.record('j').output).toEqual(json({ a: 1, c: 3 }))
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('cancels what is late where it says so, and skips what had not begun', async () => {
    const scene = branched(minutes(5, { late: 'cancel' }))
    scene.capacity = 2
    await begin(scene)
    await scene.end('a', succeeded(1))
    expect(scene.statuses()).toMatchObject({ b: 'RUNNING', c: 'RUNNING' })
    scene.now += 300_000
    await wakeJoin(scene)
    expect(scene.record('b').cancelRequestedAt).not.toBeNull()
    await scene.end('b', { kind: 'cancelled' })
    await scene.end('c', { kind: 'cancelled' })
    expect(scene.statuses()).toMatchObject({ b: 'CANCELLED', c: 'CANCELLED', late: 'RUNNING' })
    await scene.end('late')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('fails where it says so, with how many came, and its error way handles that', async () => {
    const scene = await begin(branched({ onTimeout: 'fail', amount: 5, unit: 'minutes' }))
    await scene.end('a', succeeded(1))
    scene.now += 300_000
    await wakeJoin(scene)
    expect(scene.record('j')).toMatchObject({
      status: 'TIMEOUT',
      error: { code: 'join_timeout', details: { arrived: 1, ways: 3 } },
    })
    expect(scene.state.run.error?.code).toBe('join_timeout')

    const handled = sceneOf({
      nodes: {
        a: { kind: 'noop' },
        b: { kind: 'noop' },
        j: { kind: 'join', parameters: { onTimeout: 'fail', amount: 1, unit: 'seconds' } },
        handle: { kind: 'noop' },
      },
      edges: {
        ...edgesOf('a>j', 'b>j'),
        e: { from: { node: 'j', port: 'error' }, to: { node: 'handle', port: 'in' } },
      },
    })
    await handled.start()
    await handled.end('a')
    handled.now += 1_000
    await wakeJoin(handled)
    expect(handled.record('handle').status).toBe('RUNNING')
    await handled.end('handle')
    await handled.end('b')
    expect(handled.state.run.status).toBe('SUCCEEDED')
  })

  test('a join of 2 of 3 goes on with the second, whatever its time', async () => {
    const scene = await begin(branched(minutes(5), { join: { mode: 'count', count: 2 } }))
    await scene.end('b', succeeded(2))
    expect(scene.record('j').status).toBe('WAITING')
    await scene.end('c', succeeded(3))
    expect(scene.record('j')).toMatchObject({
      status: 'SUCCESS',
      output: json({ b: 2, c: 3 }),
      ports: ['out'],
    })
    await scene.end('a', succeeded(1))
    expect(scene.record('j').output).toEqual(json({ b: 2, c: 3 }))
  })

  test('fails as ever when too few can come, without waiting for its time', async () => {
    const scene = sceneOf({
      nodes: {
        a: { kind: 'noop' },
        choose: { kind: 'if' },
        b: { kind: 'noop' },
        j: { kind: 'join', parameters: minutes(5), join: { mode: 'count', count: 2 } },
      },
      edges: {
        ...edgesOf('a>j', 'b>j'),
        t: { from: { node: 'choose', port: 'true' }, to: { node: 'b', port: 'in' } },
      },
    })
    await scene.start()
    await scene.end('a')
    expect(scene.record('j').status).toBe('WAITING')
    await scene.end('choose', succeeded(null, ['false']))
    expect(scene.record('j')).toMatchObject({ status: 'FAILED', error: { code: 'join_unsatisfied' } })
  })

  test('stands still with a paused run, and its time counts again from where it would be', async () => {
    const scene = await begin(branched(minutes(5)))
    await scene.end('a', succeeded(1))
    const due = scene.record('j').notBefore
    await scene.decide((state, context) => pauseRun(state, context), { actor: 'operator' })
    scene.now += 600_000
    expect(await wakeJoin(scene)).toBeNull()
    await scene.decide((state, context) => resumeRun(state, context), { actor: 'operator' })
    expect(scene.record('j').notBefore).toBe(due)
    await wakeJoin(scene)
    expect(scene.record('j').ports).toEqual(['timeout'])
  })

  test('paused by itself it takes what comes, and goes on when it is resumed', async () => {
    const scene = await begin(branched(minutes(5)))
    await scene.end('a', succeeded(1))
    await scene.decide((state, context) => pauseNode(state, context, nodeId('j')), { actor: 'operator' })
    await scene.end('b', succeeded(2))
    await scene.end('c', succeeded(3))
    expect(scene.record('j').status).toBe('REROUTED')
    expect(scene.statuses()).not.toHaveProperty('after')
    await scene.decide((state, context) => resumeNode(state, context, nodeId('j')), { actor: 'operator' })
    // What didn't pass at once is a runner's to hand on.
    expect(await scene.claim()).toEqual(['j'])
    expect(scene.record('j').cause.detail).toBe('["a","b","c"]')
  })

  test('skipped by hand it is out of the way, whatever comes then', async () => {
    const scene = await begin(branched(minutes(5)))
    await scene.end('a', succeeded(1))
    await scene.decide((state, context) => skipNode(state, context, nodeId('j')), { actor: 'operator' })
    await scene.end('b')
    await scene.end('c')
    expect(scene.record('j').status).toBe('CANCELLED')
    expect(scene.skipped()).toEqual(['after', 'late'])
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('ends with its run', async () => {
    const scene = await begin(branched(minutes(5)))
    await scene.end('a', succeeded(1))
    await scene.decide(cancelRun, { actor: 'operator' })
    expect(scene.record('j').status).toBe('CANCELLED')
    await scene.end('b', { kind: 'cancelled' })
    await scene.end('c', { kind: 'cancelled' })
    expect(scene.state.run.status).toBe('CANCELLED')
  })

  test('waits anew when its run goes on from a branch that failed', async () => {
    const scene = await begin(branched(minutes(5)))
    await scene.end('a', succeeded(1))
    await scene.end('b', failed('task_failed', false))
    await scene.end('c', { kind: 'cancelled' })
    expect(scene.state.run.status).toBe('FAILED')
    scene.now += 1_000_000
    await scene.decide(
      (state, context) => {
        const { workflow } = state
        const hash = state.run.definitionHash
        const plain = { nodeId: null, input: null, publish: null, meanings: null, letters: [] }
        return retryRun(state, context, { ...plain, workflow, hash })
      },
      { actor: 'operator' },
    )
    expect(scene.record('j')).toMatchObject({ status: 'WAITING', notBefore: scene.now + 300_000 })
    await scene.end('b', succeeded(2))
    await scene.end('c', succeeded(3))
    expect(scene.record('j').output).toEqual(json({ a: 1, b: 2, c: 3 }))
  })

  test('what it would cancel goes on until it goes on itself', async () => {
    const scene = sceneOf({
      nodes: {
        s: { kind: 'noop' },
        a: { kind: 'noop' },
        b1: { kind: 'noop' },
        b2: { kind: 'noop' },
        j: { kind: 'join', parameters: minutes(5, { late: 'cancel' }) },
      },
      edges: edgesOf('s>a', 's>b1', 'b1>b2', 'a>j', 'b2>j'),
    })
    await scene.start()
    await scene.end('s')
    await scene.end('a', succeeded(1))
    await scene.end('b1')
    expect(scene.record('b2').status).toBe('RUNNING')
    await scene.end('b2', succeeded(2))
    expect(scene.record('j')).toMatchObject({ status: 'SUCCESS', output: json({ a: 1, b2: 2 }) })
  })

  test('inside of an item it ends with the item', async () => {
    const scene = sceneOf({
      nodes: {
        each: { kind: 'map' },
        a: { kind: 'noop', parent: 'each' },
        b: { kind: 'noop', parent: 'each' },
        j: { kind: 'join', parent: 'each', parameters: minutes(1) },
      },
      edges: edgesOf('a>j', 'b>j'),
    })
    await scene.start()
    const items = { kind: 'items', items: json([1, 2]), count: 2, limit: 2, tolerated: 0 } as const
    await scene.end('each', { kind: 'opens', wait: items })
    await scene.end('a@each:0', succeeded('a'))
    await scene.end('a@each:1', succeeded('a'))
    await scene.end('b@each:1', succeeded('b'))
    scene.now += 60_000
    await scene.decide((state, context) => wake(state, context, scene.record('j@each:0').id), {
      actor: 'timer',
    })
    await scene.end('b@each:0', succeeded('late'))
    expect(scene.record('each').output).toEqual(json(['a', { a: 'a', b: 'b' }]))
  })
})

describe('what a join makes of what came', () => {
  const gathered = async (
    gather: string,
    brought: Readonly<Record<string, unknown>>,
    join: JsonObject = {},
  ) => {
    const scene = sceneOf({
      nodes: {
        s: { kind: 'fork', parameters: { branches: [{}, {}, {}] } },
        a: { kind: 'noop' },
        b: { kind: 'noop' },
        c: { kind: 'noop' },
        j: { kind: 'join', parameters: { gather }, join },
      },
      edges: {
        1: { from: { node: 's', port: 'branch-3' }, to: { node: 'a', port: 'in' } },
        2: { from: { node: 's', port: 'branch-1' }, to: { node: 'b', port: 'in' } },
        3: { from: { node: 's', port: 'branch-2' }, to: { node: 'c', port: 'in' } },
        ...edgesOf('a>j', 'b>j', 'c>j'),
      },
    })
    await scene.start()
    for (const [id, value] of Object.entries(brought)) {
      scene.now += 10
      await scene.end(id, succeeded(value))
    }
    const { output } = scene.record('j')
    return output?.kind === 'inline' ? (JSON.parse(output.json) as unknown) : output
  }

  test('by step, also where one came', async () => {
    expect(await gathered('auto', { c: 3 }, { mode: 'any' })).toBe(3)
    expect(await gathered('object', { c: 3 }, { mode: 'any' })).toEqual({ c: 3 })
    expect(await gathered('object', { c: 3, a: 1, b: 2 })).toEqual({ a: 1, b: 2, c: 3 })
  })

  test('a list as the branches stand in the fork, or as they came', async () => {
    expect(await gathered('list', { c: 3, a: 1, b: 2 })).toEqual([2, 3, 1])
    expect(await gathered('arrivals', { c: 3, a: 1, b: 2 })).toEqual([3, 1, 2])
    expect(await gathered('list', { c: 3 }, { mode: 'any' })).toEqual([3])
  })

  test('one object, of which the later value of a field wins', async () => {
    const one = { name: 'x', place: { city: 'A', zip: 1 }, tags: [1] }
    const two = { place: { zip: 2, street: 'S' }, tags: [2] }
    expect(await gathered('deep', { b: one, a: two, c: { name: 'y' } })).toEqual({
      name: 'y',
      place: { city: 'A', zip: 2, street: 'S' },
      tags: [2],
    })
    expect(await gathered('deep', { b: one, c: two, a: 'text' })).toBe('text')
    const odd = JSON.parse('{"__proto__": {"x": 1}, "toString": 2}') as unknown
    const merged = await gathered('deep', { b: odd, a: {}, c: {} })
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"x":1},"toString":2}')
  })

  test('what came first', async () => {
    expect(await gathered('first', { c: 3, a: 1, b: 2 })).toBe(3)
    expect(await gathered('first', { b: 2 }, { mode: 'any' })).toBe(2)
  })

  test('a join that is switched off waits for nobody: what follows it is skipped once all have come', async () => {
    const scene = await begin(branched(minutes(5), { disabled: true }))
    await scene.end('a', succeeded(1))
    await scene.end('b', succeeded(2))
    expect(scene.statuses()).not.toHaveProperty('j')
    await scene.end('c', succeeded(3))
    expect(scene.skipped()).toEqual(['after', 'j', 'late'])
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('a bypassed join gathers as any step does, and waits as long as it takes', async () => {
    const scene = await begin(branched(minutes(5, { gather: 'first' }), { bypassed: true }))
    await scene.end('a', succeeded(1))
    expect(scene.statuses()).not.toHaveProperty('j')
    await scene.end('b', succeeded(2))
    await scene.end('c', succeeded(3))
    expect(scene.record('j').output).toEqual(json({ a: 1, b: 2, c: 3 }))
  })
})
