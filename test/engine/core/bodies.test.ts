/** Maps, loops and circuit breakers: what goes on inside of them, in which order, and how they end. */

import { describe, expect, test } from 'vitest'
import { pauseNode, resumeNode } from '../../../src-engine/core/control/pause.ts'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { cancelRun, wake } from '../../../src-engine/core/requests.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded } from './run-scene.ts'

const items = (values: readonly unknown[], limit = 10, tolerated = 0): AttemptEnd => ({
  kind: 'opens',
  wait: { kind: 'items', items: json(values), count: values.length, limit, tolerated },
})

const turn = (iteration: number, value: unknown): AttemptEnd => ({
  kind: 'opens',
  wait: { kind: 'turn', iteration, value: json(value) },
})

const each = (body: JsonObject = { kind: 'noop', parent: 'each' }): JsonObject => ({
  nodes: { each: { kind: 'map' }, step: body, after: { kind: 'noop' } },
  edges: edgesOf('each>after'),
})

describe('map', () => {
  test('opens so many items at a time, and keeps their order [P23] [C51]', async () => {
    const scene = sceneOf(each())
    await scene.start()
    await scene.end('each', items(['a', 'b', 'c'], 2))
    expect(scene.statuses()).toEqual({ each: 'WAITING', 'step@each:0': 'RUNNING', 'step@each:1': 'RUNNING' })
    await scene.end('step@each:1', succeeded('B'))
    expect(scene.record('step@each:2').status).toBe('RUNNING')
    await scene.end('step@each:2', succeeded('C'))
    expect(scene.record('each').status).toBe('WAITING')
    await scene.end('step@each:0', succeeded('A'))
    expect(scene.record('each').output).toEqual(json(['A', 'B', 'C']))
    await scene.end('after', succeeded('end'))
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(scene.state.bodies.size).toBe(0)
  })

  test('items that end together make way for as many, and the last ones end the map', async () => {
    const scene = sceneOf(each())
    await scene.start()
    await scene.end('each', items(['a', 'b', 'c', 'd'], 2))
    await scene.endTogether(['step@each:1', 'step@each:0'])
    expect(scene.statuses()).toMatchObject({ 'step@each:2': 'RUNNING', 'step@each:3': 'RUNNING' })
    await scene.endTogether(['step@each:2', 'step@each:3'])
    const names = [0, 1, 2, 3].map((index) => `step@each:${index}`)
    expect(scene.record('each').output).toEqual(json(names))
    expect(scene.record('after').status).toBe('RUNNING')
    expect(scene.state.bodies.size).toBe(0)
  })

  test('a failed item cancels the others once more failed than is tolerated [C51]', async () => {
    const scene = sceneOf(each())
    scene.capacity = 2
    await scene.start()
    await scene.end('each', items([1, 2, 3], 3, 0))
    await scene.end('step@each:0', failed('task_failed', false))
    expect(scene.record('step@each:2').status).toBe('CANCELLED')
    expect(scene.record('step@each:1').cancelRequestedAt).not.toBeNull()
    expect(scene.record('each').status).toBe('WAITING')
    await scene.end('step@each:1', { kind: 'cancelled' })
    expect(scene.record('each').error?.code).toBe('map_items_failed')
    expect(scene.state.run.status).toBe('FAILED')
  })

  test.for([
    { title: 'a step', end: 'step@each:0', place: { nodeId: 'step', path: 'each:0' } },
    {
      title: 'a loop around it',
      end: 'inner@each:0/again:0',
      place: { nodeId: 'inner', path: 'each:0/again:0' },
    },
  ])('a failed item names the place where $title failed, however deep', async ({ end, place }) => {
    const scene = sceneOf({
      nodes: {
        each: { kind: 'map' },
        step: { kind: 'noop', parent: 'each' },
        again: { kind: 'loop', parent: 'each' },
        inner: { kind: 'noop', parent: 'again' },
      },
      edges: {},
    })
    await scene.start()
    await scene.end('each', items([1], 1, 1))
    await scene.end('again@each:0', turn(0, 1))
    if (end !== 'step@each:0') await scene.end('step@each:0')
    await scene.end(end, failed('task_failed', false))
    if (end === 'step@each:0') await scene.end('inner@each:0/again:0', { kind: 'cancelled' })
    const { output } = scene.record('each')
    const results: unknown = output?.kind === 'inline' ? JSON.parse(output.json) : null
    expect(results).toMatchObject([{ error: { code: 'task_failed', details: place } }])
  })

  test('a loop whose turn fails fails the run with the step of the turn', async () => {
    const scene = sceneOf({
      nodes: { again: { kind: 'loop' }, step: { kind: 'noop', parent: 'again' } },
      edges: {},
    })
    await scene.start()
    await scene.end('again', turn(0, 1))
    await scene.end('step@again:0', failed('task_failed', false))
    expect(scene.record('again').error).toMatchObject({ details: { nodeId: 'step', path: 'again:0' } })
    expect(scene.state.run.error).toMatchObject({ details: { nodeId: 'step', path: 'again:0' } })
  })

  test('a tolerated failure stands in its place of the result', async () => {
    const scene = sceneOf(each())
    await scene.start()
    await scene.end('each', items([1, 2], 1, 1))
    await scene.end('step@each:0', failed('task_failed', false))
    await scene.end('step@each:1', succeeded('fine'))
    const { output } = scene.record('each')
    const results: unknown = output?.kind === 'inline' ? JSON.parse(output.json) : null
    expect(results).toMatchObject([{ error: { code: 'task_failed' } }, 'fine'])
    expect(scene.state.run.status).not.toBe('FAILED')
  })

  test('its failure leaves by the error port [C51] [C56]', async () => {
    const scene = sceneOf({
      nodes: { each: { kind: 'map' }, step: { kind: 'noop', parent: 'each' }, handle: { kind: 'noop' } },
      edges: { e: { from: { node: 'each', port: 'error' }, to: { node: 'handle', port: 'in' } } },
    })
    await scene.start()
    await scene.end('each', items([1]))
    await scene.end('step@each:0', failed('task_failed', false))
    expect(scene.record('handle').status).toBe('RUNNING')
    await scene.end('handle', succeeded('handled'))
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('joins and branches inside work as outside, with skipped nodes and early joins', async () => {
    const scene = sceneOf({
      nodes: {
        each: { kind: 'map' },
        f: { kind: 'fork', parent: 'each', parameters: { branches: [{ title: 'a' }, { title: 'b' }] } },
        a: { kind: 'noop', parent: 'each' },
        b: { kind: 'noop', parent: 'each' },
        c: { kind: 'noop', parent: 'each' },
        j: {
          kind: 'noop',
          parent: 'each',
          join: { mode: 'count', count: 2, cancelLosers: true },
        },
      },
      edges: {
        ...edgesOf('a>j', 'b>j', 'c>j'),
        fa: { from: { node: 'f', port: 'branch-1' }, to: { node: 'a', port: 'in' } },
        fb: { from: { node: 'f', port: 'branch-1' }, to: { node: 'b', port: 'in' } },
        fc: { from: { node: 'f', port: 'branch-1' }, to: { node: 'c', port: 'in' } },
      },
    })
    await scene.start()
    await scene.end('each', items([1, 2], 1))
    expect(scene.record('f@each:0').output).toEqual(json(1))
    await scene.end('a@each:0', succeeded('A'))
    await scene.end('b@each:0', succeeded('B'))
    expect(scene.record('c@each:0').cancelRequestedAt).not.toBeNull()
    await scene.end('c@each:0', { kind: 'cancelled' })
    await scene.end('j@each:0', succeeded('first'))
    expect(scene.record('a@each:1').status).toBe('RUNNING')
  })

  test('cancelling the run reaches what goes on inside', async () => {
    const scene = sceneOf(each())
    scene.capacity = 1
    await scene.start()
    await scene.end('each', items([1, 2], 2))
    const { cancelRun } = await import('../../../src-engine/core/requests.ts')
    await scene.decide((state, context) => cancelRun(state, context))
    expect(scene.record('step@each:1').status).toBe('CANCELLED')
    await scene.end('step@each:0', { kind: 'cancelled' })
    expect(scene.state.run.status).toBe('CANCELLED')
  })
})

describe('loop', () => {
  const looping: JsonObject = {
    nodes: { again: { kind: 'loop' }, step: { kind: 'noop', parent: 'again' }, after: { kind: 'noop' } },
    edges: edgesOf('again>after'),
  }

  test('each turn gets what the one before gave, and its successor runs at the end [T2]', async () => {
    const scene = sceneOf(looping)
    await scene.start()
    await scene.end('again', turn(0, 'zero'))
    await scene.end('step@again:0', succeeded('one'))
    expect(scene.record('again')).toMatchObject({
      status: 'RUNNING',
      wait: { iteration: 1, value: json('one') },
    })
    await scene.end('again', turn(1, 'one'))
    await scene.end('step@again:1', succeeded('two'))
    await scene.end('again', succeeded('two'))
    expect(scene.record('after').status).toBe('RUNNING')
    await scene.end('after', succeeded('end'))
    expect(scene.output()).toBe('end')
  })

  test('whose first try failed goes on with its turns at once, also where it failed', async () => {
    const scene = sceneOf({
      ...looping,
      nodes: {
        again: { kind: 'loop', retry: { maxAttempts: 2, delayMs: 100, jitter: 0 } },
        step: { kind: 'noop', parent: 'again' },
        after: { kind: 'noop' },
      },
    })
    await scene.start()
    await scene.end('again', failed())
    scene.now += 100
    expect(await scene.claim()).toEqual(['again'])
    await scene.begin('again')
    await scene.end('again', turn(0, 'zero'))
    await scene.end('step@again:0', succeeded('one'))
    expect(scene.record('again').status).toBe('RUNNING')
  })

  test('the value of a turn outlives the runner that evaluated the condition [T5] [S28]', async () => {
    const scene = sceneOf(looping)
    await scene.start()
    await scene.end('again', turn(0, 'zero'))
    await scene.end('step@again:0', succeeded('one'))
    await scene.lose('again')
    expect(scene.record('again')).toMatchObject({
      status: 'REROUTED',
      wait: { kind: 'turn', iteration: 1, value: json('one') },
    })
  })

  const later = (iteration: number, delayMs: number): AttemptEnd => ({
    kind: 'opens',
    wait: { kind: 'turn', iteration, value: json('one') },
    delayMs,
  })
  const waking = (scene: Scene) =>
    scene.decide((state, context) => wake(state, context, scene.record('again').id))

  test('a turn that waits begins at its instant, not before, and nothing is at work meanwhile', async () => {
    const scene = sceneOf(looping)
    await scene.start()
    await scene.end('again', turn(0, 'zero'))
    await scene.end('step@again:0', succeeded('one'))
    await scene.end('again', later(1, 100))
    const opensAt = scene.now + 100
    expect(scene.record('again')).toMatchObject({
      status: 'WAITING',
      notBefore: opensAt,
      wait: { iteration: 1, opensAt },
      waitReason: { code: 'timer', message: 'Waits before turn 2.' },
    })
    expect(scene.state.run.status).toBe('WAITING')
    expect(await waking(scene)).toBeNull()
    scene.now = opensAt
    await waking(scene)
    expect(scene.record('again')).toMatchObject({
      status: 'WAITING',
      notBefore: null,
      waitReason: { code: 'turn' },
    })
    expect(scene.record('again').wait).toEqual({ kind: 'turn', iteration: 1, value: json('one') })
    expect(scene.record('step@again:1').status).toBe('RUNNING')
    await scene.end('step@again:1', succeeded('two'))
    await scene.end('again', succeeded('two'))
    expect(scene.record('after').status).toBe('RUNNING')
  })

  test('a turn that waits is cut by the loop’s total time, and cancelled with its run', async () => {
    const loop = { kind: 'loop', timeout: { totalMs: 50 } }
    const short = sceneOf({
      ...looping,
      nodes: { again: loop, step: { kind: 'noop', parent: 'again' } },
      edges: {},
    })
    await short.start()
    await short.end('again', later(1, 100))
    short.now += 50
    await waking(short)
    expect(short.record('again').status).toBe('TIMEOUT')
    const cancelled = sceneOf(looping)
    await cancelled.start()
    await cancelled.end('again', later(1, 100))
    await cancelled.decide(cancelRun, { actor: 'operator', claims: false })
    expect(cancelled.record('again').status).toBe('CANCELLED')
    expect(cancelled.state.run.status).toBe('CANCELLED')
  })

  test('a turn that waits stands still while it is paused', async () => {
    const scene = sceneOf(looping)
    await scene.start()
    await scene.end('again', later(1, 100))
    const asOperator = { actor: 'operator', claims: false } as const
    await scene.decide((state, context) => pauseNode(state, context, nodeId('again')), asOperator)
    scene.now += 100
    expect(await waking(scene)).toBeNull()
    await scene.decide((state, context) => resumeNode(state, context, nodeId('again')), asOperator)
    await waking(scene)
    expect(scene.record('step@again:1').status).toBe('RUNNING')
  })

  test('a failed turn fails the loop', async () => {
    const scene = sceneOf(looping)
    await scene.start()
    await scene.end('again', turn(0, 'zero'))
    await scene.end('step@again:0', failed('task_failed', false))
    expect(scene.record('again').status).toBe('FAILED')
    expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { details: { nodeId: 'step' } } })
  })

  test('a loop inside of a map has turns of its own for each item', async () => {
    const scene = sceneOf({
      nodes: {
        each: { kind: 'map' },
        again: { kind: 'loop', parent: 'each' },
        step: { kind: 'noop', parent: 'again' },
      },
      edges: {},
    })
    await scene.start()
    await scene.end('each', items(['a', 'b']))
    await scene.end('again@each:1', turn(0, 'b'))
    await scene.end('again@each:0', turn(0, 'a'))
    await scene.end('step@each:1/again:0', succeeded('B'))
    await scene.end('step@each:0/again:0', failed('task_failed', false))
    expect(scene.record('again@each:0').status).toBe('FAILED')
    expect(scene.record('again@each:1').cancelRequestedAt).not.toBeNull()
    await scene.end('again@each:1', { kind: 'cancelled' })
    expect(scene.state.run.status).toBe('FAILED')
  })
})

describe('a circuit breaker', () => {
  const guarded = {
    nodes: {
      guard: { kind: 'circuit-breaker' },
      step: { kind: 'noop', parent: 'guard' },
      after: { kind: 'noop' },
      instead: { kind: 'noop' },
      dealt: { kind: 'noop' },
    },
    edges: edgesOf('guard>after', 'guard:open>instead', 'guard:error>dealt'),
  }

  test('whose body has run never goes the way of an open one, whether a breaker was asked or not', async () => {
    const place = { workflowId: 'w', nodeId: 'guard', key: null }
    const rules = { failures: 1, windowMs: 1_000, openMs: 1_000, probes: 1 }
    const circuit = { id: 'circuit/w/guard/x', begunAt: 1, rules, place }
    const wait = { kind: 'turn', iteration: 0, value: json('in') } as const
    for (const asked of [wait, { ...wait, circuit }]) {
      const scene = sceneOf(guarded)
      await scene.start()
      await scene.end('guard', { kind: 'opens', wait: asked })
      await scene.end('step@guard:0', succeeded('out'))
      expect(scene.record('guard')).toMatchObject({ status: 'SUCCESS', output: json('out'), ports: ['out'] })
      expect(scene.statuses()).toMatchObject({ after: 'RUNNING' })
      expect(Object.keys(scene.statuses())).not.toContain('instead')
      await scene.end('after', succeeded('end'))
      expect(scene.state.run).toMatchObject({ status: 'SUCCEEDED', output: json('end') })
    }
  })

  test('whose body fails goes the way of a failure', async () => {
    const scene = sceneOf(guarded)
    await scene.start()
    await scene.end('guard', turn(0, 'in'))
    await scene.end('step@guard:0', failed('task_failed', false))
    expect(scene.statuses()).toMatchObject({ guard: 'FAILED', dealt: 'RUNNING' })
    expect(Object.keys(scene.statuses())).not.toContain('instead')
  })
})

test('a turn fails with what failed in it first', async () => {
  const nodes = {
    again: { kind: 'loop' },
    one: { kind: 'noop', parent: 'again' },
    two: { kind: 'noop', parent: 'again' },
  }
  const scene = sceneOf({ nodes, edges: {} })
  await scene.start()
  await scene.end('again', turn(0, 1))
  await scene.end('two@again:0', failed('csv_invalid', false))
  scene.now += 10
  await scene.end('one@again:0', failed('http_status', false))
  expect(scene.record('again')).toMatchObject({
    status: 'FAILED',
    error: { code: 'csv_invalid', details: { nodeId: 'two' } },
  })
})
