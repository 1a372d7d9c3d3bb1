/** Going on with an ended run: what begins anew, what keeps its result, and what is refused. */

import { describe, expect, test } from 'vitest'
import { compileWorkflow } from '../../../../src-engine/core/compile.ts'
import type { RetryRequest } from '../../../../src-engine/core/control/retry-run.ts'
import { retryRun } from '../../../../src-engine/core/control/retry-run.ts'
import { skipNode } from '../../../../src-engine/core/control/skip.ts'
import { cancelRun, timeOutRun } from '../../../../src-engine/core/requests.ts'
import { definitionHash, nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import type { Scene } from '../run-scene.ts'
import { failed, json, sceneOf, succeeded } from '../run-scene.ts'

const steps = (...ids: readonly string[]): JsonObject =>
  Object.fromEntries(ids.map((id) => [id, { kind: 'noop' }]))

const operator = { actor: 'operator', claims: false } as const

interface Wish extends Partial<Omit<RetryRequest, 'nodeId'>> {
  readonly from?: string
}

function retry(scene: Scene, { from, ...wish }: Wish = {}) {
  return scene.decide(
    (state, context) =>
      retryRun(
        state,
        { ...context, cause: { kind: 'retry', by: 'ada', detail: null } },
        {
          nodeId: from === undefined ? null : nodeId(from),
          input: null,
          workflow: state.workflow,
          hash: state.run.definitionHash,
          publish: null,
          meanings: null,
          letters: [],
          ...wish,
        },
      ),
    operator,
  )
}

/** Claims and begins whatever there is; the nodes. */
async function take(scene: Scene): Promise<readonly string[]> {
  const nodes = await scene.claim()
  for (const node of nodes) await scene.begin(node)
  return [...nodes].sort()
}

async function failedChain(): Promise<Scene> {
  const scene = sceneOf({ nodes: steps('a', 'b', 'c'), edges: edgesOf('a>b', 'b>c') })
  await scene.start()
  await scene.end('a', succeeded(1))
  await scene.end('b', failed())
  return scene
}

describe('a run that goes on', () => {
  test('keeps how long it lay ended, of all times that it did: that is no time at work', async () => {
    const scene = await failedChain()
    expect(scene.state.run.idleMs).toBeUndefined()
    scene.now += 60_000
    await retry(scene)
    expect(scene.state.run.idleMs).toBe(60_000)
    await take(scene)
    scene.now += 500
    await scene.end('b', failed('csv_invalid', false))
    scene.now += 5_000
    await retry(scene)
    expect(scene.state.run.idleMs).toBe(65_000)
  })

  test('does again what failed and what follows, and keeps the rest [C66]', async () => {
    const scene = await failedChain()
    const first = scene.record('b')
    expect(scene.state.run.status).toBe('FAILED')
    await retry(scene)
    expect(scene.state.run).toMatchObject({
      status: 'RUNNING',
      generation: 1,
      output: null,
      error: null,
      finishedAt: null,
    })
    expect(scene.record('a')).toMatchObject({ generation: 0, status: 'SUCCESS' })
    expect(scene.record('b')).toMatchObject({ generation: 1, status: 'REGISTERED', cause: { kind: 'retry' } })
    expect(scene.record('b').id).not.toBe(first.id)
    expect(scene.state.invocations.get(first.id)?.status).toBe('FAILED')
    expect(await take(scene)).toEqual(['b'])
    await scene.end('b', succeeded(2))
    await scene.end('c', succeeded(3))
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(scene.output()).toBe(3)
  })

  test('from a step of choice does that one and all its descendants again [C66]', async () => {
    const scene = sceneOf({
      nodes: steps('a', 'b', 'c', 'd'),
      edges: edgesOf('a>b', 'a>c', 'b>d', 'c>d'),
    })
    await scene.start()
    await scene.end('a')
    await scene.end('b')
    await scene.end('c')
    await scene.end('d', failed())
    await retry(scene, { from: 'b' })
    expect(await take(scene)).toEqual(['b'])
    expect(scene.record('c').generation).toBe(0)
    await scene.end('b')
    await scene.end('d', succeeded('done'))
    expect(scene.record('d').generation).toBe(1)
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('does beside the step of choice what else stands in its way', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b', 'c'), edges: edgesOf('a>b', 'a>c') })
    await scene.start()
    await scene.end('a')
    await scene.end('b', failed())
    await scene.end('c', { kind: 'cancelled' })
    await retry(scene, { from: 'c' })
    expect(await take(scene)).toEqual(['b', 'c'])
  })

  test('begins what was ready when the run came to its end', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b', 'c'), edges: edgesOf('b>c') })
    await scene.start()
    await scene.end('a', failed())
    // Its owner was asked to stop, and was done before: what follows did not begin any more.
    await scene.end('b')
    expect(scene.state.run.status).toBe('FAILED')
    await retry(scene)
    expect(await take(scene)).toEqual(['a', 'c'])
    await scene.end('a')
    await scene.end('c')
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(scene.record('b').generation).toBe(0)
  })

  test('that was cancelled begins what it had not ended', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b'), edges: edgesOf('a>b') })
    scene.capacity = 0
    await scene.start()
    await scene.decide(cancelRun, operator)
    expect(scene.state.run.status).toBe('CANCELLED')
    await retry(scene)
    expect(scene.state.run).toMatchObject({ status: 'RUNNING', cancelRequestedAt: null })
    scene.capacity = 1
    expect(await take(scene)).toEqual(['a'])
  })

  test('that took too long has its whole time again', async () => {
    const scene = sceneOf({ nodes: steps('a'), edges: {}, settings: { timeoutMs: 1_000 } })
    scene.capacity = 0
    await scene.start()
    scene.now += 2_000
    await scene.decide(timeOutRun, operator)
    expect(scene.state.run.status).toBe('TIMED_OUT')
    await retry(scene)
    expect(scene.state.run).toMatchObject({ status: 'RUNNING', deadlineAt: scene.now + 1_000 })
  })

  test('may go on again and again, each time under a generation of its own', async () => {
    const scene = await failedChain()
    await retry(scene)
    await take(scene)
    await scene.end('b', succeeded(2))
    await scene.end('c', failed())
    await retry(scene)
    expect(scene.record('a').generation).toBe(0)
    expect(scene.record('b').generation).toBe(1)
    expect(scene.record('c').generation).toBe(2)
    await take(scene)
    await scene.end('c', failed())
    await retry(scene, { from: 'a' })
    expect(scene.statuses()).toMatchObject({ a: 'REGISTERED' })
    expect(() => scene.record('b')).toThrow('has not been invoked')
    await take(scene)
    for (const id of ['a', 'b', 'c']) await scene.end(id, succeeded(id))
    expect(scene.output()).toBe('c')
    expect(scene.state.invocations.size).toBe(8)
  })

  test('leaves skipped what its kept branches skip, and decides the others anew', async () => {
    const scene = sceneOf({
      nodes: { ...steps('a', 'no', 'b', 'x', 'y'), pick: { kind: 'if', parameters: { condition: '=true' } } },
      edges: edgesOf('a>pick', 'pick:true>b', 'pick:false>no', 'b>x', 'b:error>y'),
    })
    await scene.start()
    await scene.end('a')
    await scene.end('pick', succeeded(null, ['true']))
    await scene.end('b')
    await scene.end('x', failed())
    expect([...scene.skipped()].sort()).toEqual(['no', 'y'])
    await retry(scene, { from: 'b' })
    expect(scene.skipped()).toEqual(['no'])
    await take(scene)
    await scene.end('b')
    await scene.end('x')
    expect([...scene.skipped()].sort()).toEqual(['no', 'y'])
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('does a map or loop again as a whole', async () => {
    const scene = sceneOf({
      nodes: { each: { kind: 'map' }, work: { kind: 'noop', parent: 'each' }, after: { kind: 'noop' } },
      edges: edgesOf('each>after'),
    })
    await scene.start()
    const items = {
      kind: 'opens',
      wait: { kind: 'items', items: json([1, 2]), count: 2, limit: 2, tolerated: 0 },
    } as const
    await scene.end('each', items)
    await scene.end('work@each:0')
    await scene.end('work@each:1', failed())
    expect(scene.state.run.status).toBe('FAILED')
    await retry(scene, { from: 'work' })
    expect(scene.record('each').generation).toBe(1)
    await take(scene)
    await scene.end('each', items)
    await scene.end('work@each:0', succeeded('x'))
    await scene.end('work@each:1', succeeded('y'))
    await scene.end('after', failed())
    await retry(scene)
    // The map of the second generation is kept with its items.
    expect(scene.record('work@each:1')).toMatchObject({ generation: 1, status: 'SUCCESS' })
    await take(scene)
    await scene.end('after')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('evaluates its output anew', async () => {
    const scene = sceneOf({ nodes: steps('a'), edges: {}, settings: { output: '$' } })
    await scene.start()
    await scene.end('a', succeeded(1))
    await scene.end('$output', failed())
    await retry(scene)
    expect(await take(scene)).toEqual(['$output'])
    await scene.end('$output', succeeded(2))
    expect(scene.output()).toBe(2)
    expect(scene.record('a').generation).toBe(0)
  })

  test('leaves alone a branch that its join went on without', async () => {
    const scene = sceneOf({
      nodes: {
        ...steps('a', 'b', 'after'),
        join: { kind: 'join', join: { mode: 'any', cancelLosers: true } },
      },
      edges: edgesOf('a>join', 'b>join', 'join>after'),
    })
    await scene.start()
    await scene.end('a')
    await scene.end('b', { kind: 'cancelled' })
    await scene.end('after', failed())
    await retry(scene)
    expect(await take(scene)).toEqual(['after'])
  })

  test('settles the dead letters of what begins anew', async () => {
    const scene = await failedChain()
    const letters = [
      { id: 'of b', nodeId: nodeId('b') },
      { id: 'of a', nodeId: nodeId('a') },
    ]
    const decision = await retry(scene, { letters })
    expect(decision?.checkpoint.writes.settledLetters).toEqual(['of b'])
  })

  test('gives the step of choice another input', async () => {
    const scene = await failedChain()
    await retry(scene, { from: 'b', input: json('better') })
    expect(scene.record('b').dispatch?.input).toEqual(json('better'))
  })
})

describe('going on is refused', () => {
  test('while the run is under way', async () => {
    const scene = sceneOf({ nodes: steps('a'), edges: {} })
    await scene.start()
    await expect(retry(scene)).rejects.toMatchObject({ code: 'run_not_final' })
  })

  test('for a run that succeeded', async () => {
    const scene = sceneOf({ nodes: steps('a'), edges: {} })
    await scene.start()
    await scene.end('a')
    await expect(retry(scene, { from: 'a' })).rejects.toMatchObject({ code: 'run_not_retryable' })
  })

  test('from a step that never began', async () => {
    const scene = await failedChain()
    await expect(retry(scene, { from: 'c' })).rejects.toMatchObject({ code: 'invocation_not_found' })
  })

  test('with another input for what a map does', async () => {
    const scene = sceneOf({
      nodes: { each: { kind: 'map' }, work: { kind: 'noop', parent: 'each' } },
      edges: {},
    })
    await scene.start()
    await scene.end('each', {
      kind: 'opens',
      wait: { kind: 'items', items: json([1]), count: 1, limit: 1, tolerated: 0 },
    })
    await scene.end('work@each:0', failed())
    await expect(retry(scene, { from: 'work', input: json(1) })).rejects.toMatchObject({
      code: 'step_not_retryable',
    })
  })

  test('when nothing of it is left to do', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b'), edges: edgesOf('a>b') })
    await scene.start()
    await scene.decide((state, context) => skipNode(state, context, nodeId('a')), operator)
    await scene.decide(cancelRun, operator)
    await scene.end('a', { kind: 'cancelled' })
    expect(scene.state.run.status).toBe('CANCELLED')
    await expect(retry(scene)).rejects.toMatchObject({ code: 'nothing_to_retry' })
  })
})

describe('on a newer version', () => {
  const newer = (parts: JsonObject) => compileWorkflow(documentOf(parts), taskSpecsByKind)
  const meaning = (of: Record<string, string>) =>
    new Map(Object.entries(of).map(([id, text]) => [nodeId(id), text]))

  test('keeps results of steps that mean the same, and is bound to it', async () => {
    const scene = await failedChain()
    const workflow = newer({ nodes: steps('a', 'b', 'fresh'), edges: edgesOf('a>b', 'b>fresh') })
    const meanings = {
      before: meaning({ a: '1', b: '1', c: '1' }),
      after: meaning({ a: '1', b: '2', fresh: '1' }),
    }
    await retry(scene, { workflow, hash: definitionHash('w1_newer'), meanings })
    expect(scene.state.run.definitionHash).toBe('w1_newer')
    expect(scene.state.workflow).toBe(workflow)
    await take(scene)
    await scene.end('b')
    await scene.end('fresh', succeeded('new'))
    expect(scene.output()).toBe('new')
  })

  test('is refused when a kept result means something else there', async () => {
    const scene = await failedChain()
    const meanings = { before: meaning({ a: '1', b: '1' }), after: meaning({ a: '2', b: '2' }) }
    await expect(retry(scene, { meanings })).rejects.toMatchObject({
      code: 'kept_results_do_not_fit',
      details: { nodeIds: ['a'] },
    })
  })

  test('is refused when a step with a result is gone', async () => {
    const scene = await failedChain()
    const workflow = newer({ nodes: steps('b', 'c'), edges: edgesOf('b>c') })
    const meanings = { before: meaning({ a: '1', b: '1' }), after: meaning({ b: '1' }) }
    await expect(retry(scene, { workflow, meanings })).rejects.toMatchObject({
      code: 'kept_results_do_not_fit',
      details: { nodeIds: ['a'] },
    })
  })

  test('may leave out what was to begin anew', async () => {
    const scene = await failedChain()
    const workflow = newer({ nodes: steps('a', 'other'), edges: edgesOf('a>other') })
    const meanings = { before: meaning({ a: '1', b: '1' }), after: meaning({ a: '1' }) }
    await retry(scene, { workflow, meanings })
    expect(await take(scene)).toEqual(['other'])
  })
})
