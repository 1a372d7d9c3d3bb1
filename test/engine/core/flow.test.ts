/** What runs next: sequence, forks, joins, branches, skipped and cancelled ones. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import { failed, sceneOf, succeeded } from './run-scene.ts'

const steps = (...ids: readonly string[]): JsonObject =>
  Object.fromEntries(ids.map((id) => [id, { kind: 'noop' }]))

describe('sequence', () => {
  test('a run starts with the nodes that nothing leads to, and ends with the last one', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b'), edges: edgesOf('a>b') })
    await scene.start()
    expect(scene.statuses()).toEqual({ a: 'RUNNING' })
    await scene.end('a', succeeded(1))
    expect(scene.statuses()).toEqual({ a: 'SUCCESS', b: 'RUNNING' })
    await scene.end('b', succeeded({ total: 2 }))
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(scene.output()).toEqual({ total: 2 })
  })

  test('a workflow without nodes succeeds at once', async () => {
    const scene = sceneOf({ nodes: {}, edges: {} })
    await scene.start()
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('what no slot is free for stays available, and is taken when one is', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b', 'c'), edges: {} })
    scene.capacity = 1
    await scene.start()
    expect(scene.statuses()).toEqual({ a: 'RUNNING', b: 'REGISTERED', c: 'REGISTERED' })
    await scene.end('a')
    expect(scene.statuses()).toEqual({ a: 'SUCCESS', b: 'RUNNING', c: 'REGISTERED' })
  })

  test('the outputs of several last nodes come back by node', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b'), edges: {} })
    await scene.start()
    await scene.end('a', succeeded(1))
    await scene.end('b', succeeded(2))
    expect(scene.output()).toEqual({ a: 1, b: 2 })
  })

  test('a second end of the same attempt, or one under an old fence, decides nothing [C7] [C1]', async () => {
    const scene = sceneOf({ nodes: steps('a'), edges: {} })
    await scene.start()
    await scene.end('a')
    expect(await scene.end('a')).toBeNull()
  })
})

const fan = edgesOf('s>a', 's>b', 's>c', 'a>j', 'b>j', 'c>j')

describe('joins', () => {
  const joined = (join: JsonObject) =>
    sceneOf({ nodes: { ...steps('s', 'a', 'b', 'c'), j: { kind: 'noop', join } }, edges: fan })

  test('all waits for each branch', async () => {
    const scene = joined({})
    await scene.start()
    await scene.end('s')
    await scene.end('a')
    await scene.end('b')
    expect(scene.statuses()).not.toHaveProperty('j')
    await scene.end('c')
    expect(scene.statuses()['j']).toBe('RUNNING')
  })

  test('any runs with the first, and its input stays what had arrived then [C52]', async () => {
    const scene = joined({ mode: 'any' })
    await scene.start()
    await scene.end('s')
    await scene.end('b', succeeded(2))
    expect(scene.statuses()['j']).toBe('RUNNING')
    expect(scene.record('j').cause.detail).toBe('["b"]')
    await scene.end('a', succeeded(1))
    await scene.end('j')
    expect(scene.state.run.status).toBe('RUNNING')
    await scene.end('c')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('count runs with the n-th [C52]', async () => {
    const scene = joined({ mode: 'count', count: 2 })
    await scene.start()
    await scene.end('s')
    await scene.end('a')
    expect(scene.statuses()).not.toHaveProperty('j')
    await scene.end('c')
    expect(scene.statuses()['j']).toBe('RUNNING')
  })

  test('losers are asked to stop, and neither their result nor their failure counts [C52]', async () => {
    const scene = joined({ mode: 'any', cancelLosers: true })
    scene.capacity = 2
    await scene.start()
    await scene.end('s')
    expect(scene.statuses()).toMatchObject({ a: 'RUNNING', b: 'RUNNING', c: 'REGISTERED' })
    await scene.end('a', succeeded(1))
    expect(scene.statuses()).toMatchObject({ a: 'SUCCESS', b: 'RUNNING', c: 'CANCELLED', j: 'RUNNING' })
    expect(scene.record('b').cancelRequestedAt).not.toBeNull()
    await scene.end('b', failed())
    expect(scene.statuses()['b']).toBe('CANCELLED')
    await scene.end('j', succeeded('first'))
    expect(scene.state.run).toMatchObject({ status: 'SUCCEEDED', error: null })
    expect(scene.output()).toBe('first')
  })

  test('what a loser would have led to never starts, even when the loser succeeds', async () => {
    const scene = sceneOf({
      nodes: { ...steps('a', 'b', 'c'), j: { kind: 'noop', join: { mode: 'any', cancelLosers: true } } },
      edges: edgesOf('a>j', 'b>c', 'c>j'),
    })
    await scene.start()
    await scene.end('a', succeeded(1))
    await scene.end('b', succeeded(2))
    expect(scene.skipped()).toEqual(['c'])
    await scene.end('j', succeeded('done'))
    expect(scene.output()).toBe('done')
  })

  test.for([
    { title: 'ends the run', node: {}, edges: [], status: 'FAILED' },
    { title: 'goes on with the fallback', node: { onError: 'continue' }, edges: [], status: 'SUCCEEDED' },
  ])('too few branches: join_unsatisfied $title', async ({ node, status }) => {
    const scene = sceneOf({
      nodes: {
        i: { kind: 'if', parameters: { condition: 'x' } },
        k: { kind: 'noop' },
        j: { kind: 'noop', join: { mode: 'count', count: 2 }, ...node },
      },
      edges: edgesOf('i:true>j', 'k>j'),
    })
    await scene.start()
    await scene.end('i', succeeded(null, ['false']))
    await scene.end('k')
    expect(scene.record('j')).toMatchObject({ status: 'FAILED', error: { code: 'join_unsatisfied' } })
    expect(scene.state.run.status).toBe(status)
  })
})

describe('branches', () => {
  const branched = (extra: JsonObject = {}) =>
    sceneOf({
      nodes: { i: { kind: 'if', parameters: { condition: 'x' } }, ...steps('a', 'b', 'b2', 'j'), ...extra },
      edges: edgesOf('i:true>a', 'i:false>b', 'b>b2', 'a>j', 'b2>j'),
    })

  test('the way that is not taken is skipped as far as it leads, and the join goes on [C54] [G17]', async () => {
    const scene = branched()
    await scene.start()
    await scene.end('i', succeeded(1, ['true']))
    expect(scene.skipped()).toEqual(['b', 'b2'])
    await scene.end('a', succeeded(5))
    expect(scene.statuses()['j']).toBe('RUNNING')
  })

  test('a switch may take several ways [C54]', async () => {
    const scene = sceneOf({
      nodes: { w: { kind: 'switch', parameters: { cases: [] } }, ...steps('a', 'b', 'c') },
      edges: edgesOf('w:1>a', 'w:2>b', 'w:3>c'),
    })
    await scene.start()
    await scene.end('w', succeeded(1, ['1', '3']))
    expect(scene.statuses()).toEqual({ w: 'SUCCESS', a: 'RUNNING', c: 'RUNNING' })
    expect(scene.skipped()).toEqual(['b'])
  })

  test('a run whose every further node is skipped ends', async () => {
    const scene = sceneOf({
      nodes: { i: { kind: 'if', parameters: { condition: 'x' } }, ...steps('a', 'b') },
      edges: edgesOf('i:true>a', 'a>b'),
    })
    await scene.start()
    await scene.end('i', succeeded(3, ['false']))
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(scene.output()).toBe(3)
  })

  test('a disabled node is skipped with what only it leads to', async () => {
    const scene = branched({ a: { kind: 'noop', disabled: true } })
    await scene.start()
    await scene.end('i', succeeded(1, ['true']))
    expect(scene.skipped()).toEqual(['a', 'b', 'b2', 'j'])
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('a disabled node that needs only one of its ways is skipped as soon as that is taken', async () => {
    const scene = sceneOf({
      nodes: { ...steps('a', 'b', 'c'), x: { kind: 'noop', disabled: true, join: { mode: 'any' } } },
      edges: edgesOf('a>x', 'b>x', 'x>c'),
    })
    await scene.start()
    await scene.end('a')
    expect(scene.skipped()).toEqual(['c', 'x'])
  })

  test('a bypassed node hands on what arrives', async () => {
    const scene = branched({ a: { kind: 'noop', bypassed: true } })
    await scene.start()
    await scene.end('i', succeeded({ n: 4 }, ['true']))
    expect(scene.record('a')).toMatchObject({ status: 'SUCCESS', attempt: 0, output: { json: '{"n":4}' } })
    expect(scene.statuses()['j']).toBe('RUNNING')
  })

  test.each([
    ['if', { kind: 'if', parameters: { condition: 'false' } }, ['true', 'false']],
    ['approval', { kind: 'approval' }, ['approved', 'rejected']],
    ['circuit-breaker', { kind: 'circuit-breaker' }, ['out', 'open']],
  ])('a bypassed step decides nothing: it leaves by the first of its ways: %s', async (_kind, step, ways) => {
    const [first, other] = ways
    const scene = sceneOf({
      nodes: { ...steps('a', 'b', 'c'), x: { ...step, bypassed: true } },
      edges: edgesOf('a>x', `x:${first}>b`, `x:${other}>c`),
    })
    await scene.start()
    await scene.end('a', succeeded(7))
    expect(scene.record('x')).toMatchObject({ status: 'SUCCESS', output: { json: '7' }, ports: [first] })
    expect(scene.statuses()['b']).toBe('RUNNING')
    expect(scene.skipped()).toEqual(['c'])
  })

  test('a bypassed fork goes every way, as it does in any case', async () => {
    const scene = sceneOf({
      nodes: { f: { kind: 'fork', bypassed: true }, ...steps('a', 'b') },
      edges: edgesOf('f:branch-1>a', 'f:branch-2>b'),
    })
    await scene.start()
    expect(scene.statuses()).toEqual({ f: 'SUCCESS', a: 'RUNNING', b: 'RUNNING' })
  })

  test('fork and join are decided in the checkpoint that reaches them [C52] [S25]', async () => {
    const scene = sceneOf({
      nodes: { f: { kind: 'fork' }, ...steps('a', 'b'), j: { kind: 'join' } },
      edges: edgesOf('f:branch-1>a', 'f:branch-2>b', 'a>j', 'b>j'),
    })
    await scene.start()
    expect(scene.statuses()).toEqual({ f: 'SUCCESS', a: 'RUNNING', b: 'RUNNING' })
    await scene.end('a', succeeded('x'))
    await scene.end('b', succeeded('y'))
    expect(scene.output()).toEqual({ a: 'x', b: 'y' })
  })
})

describe('ends that are told together', () => {
  const joined = (join: JsonObject) =>
    sceneOf({ nodes: { ...steps('s', 'a', 'b', 'c'), j: { kind: 'noop', join } }, edges: fan })

  async function begun(join: JsonObject) {
    const scene = joined(join)
    await scene.start()
    await scene.end('s')
    return scene
  }

  test('lead to the join in one checkpoint, each with its own cause', async () => {
    const scene = await begun({})
    const decision = await scene.endTogether(['a', 'b', 'c'])
    expect(scene.record('j').status).toBe('RUNNING')
    expect(scene.record('j').cause.by).toBe(scene.record('c').id)
    const causes = decision?.checkpoint.events
      .filter(({ body }) => body.type === 'invocation.changed' && body.to === 'SUCCESS')
      .map(({ cause }) => cause.by)
    expect(causes).toEqual(['a', 'b', 'c'].map((node) => scene.record(node).id))
    await scene.end('j')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('a join that runs with the first has what arrived first', async () => {
    const scene = await begun({ mode: 'any', cancelLosers: true })
    await scene.endTogether(['b', 'a'])
    expect(scene.record('j').cause.detail).toBe('["b"]')
    expect(scene.statuses()).toMatchObject({ a: 'SUCCESS', b: 'SUCCESS', c: 'RUNNING' })
    expect(scene.record('c').cancelRequestedAt).not.toBeNull()
    await scene.endTogether(['c', 'j'])
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(scene.output()).toBe('j')
  })

  test('what somebody else owns by now is dropped, and nothing is decided without any left', async () => {
    const scene = await begun({})
    await scene.end('a')
    await scene.endTogether(['a', 'b'])
    expect(scene.statuses()).toMatchObject({ a: 'SUCCESS', b: 'SUCCESS', c: 'RUNNING' })
    expect(await scene.endTogether(['a', 'b'])).toBeNull()
  })
})
