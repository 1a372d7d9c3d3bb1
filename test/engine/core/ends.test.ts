/** How steps and runs end: handlers of handlers, what outranks what, and what is one checkpoint. */

import { describe, expect, test } from 'vitest'
import { confirmPause, pauseNode } from '../../../src-engine/core/control/pause.ts'
import { timeOutRun } from '../../../src-engine/core/requests.ts'
import { idempotencyKeyOf } from '../../../src-engine/model/idempotency-key.ts'
import { nodeId, runId, storeId } from '../../../src-engine/model/ids.ts'
import { invocationMachine } from '../../../src-engine/model/invocation-status.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import { failed, sceneOf, succeeded, timedOut } from './run-scene.ts'

const steps = (...ids: readonly string[]): JsonObject =>
  Object.fromEntries(ids.map((id) => [id, { kind: 'noop' }]))
const hopeless = failed('csv_invalid', false)

describe('handlers', () => {
  test('a handler that fails fails the run, unless another one handles that [C56]', async () => {
    const alone = sceneOf({ nodes: steps('a', 'h'), edges: edgesOf('a:error>h') })
    await alone.start()
    await alone.end('a', hopeless)
    await alone.end('h', failed('http_status', false))
    expect(alone.state.run).toMatchObject({ status: 'FAILED', error: { code: 'http_status' } })

    const chained = sceneOf({ nodes: steps('a', 'h', 'hh'), edges: edgesOf('a:error>h', 'h:error>hh') })
    await chained.start()
    await chained.end('a', hopeless)
    await chained.end('h', timedOut())
    expect(chained.statuses()).toEqual({ a: 'FAILED', h: 'TIMEOUT', hh: 'RUNNING' })
    await chained.end('hh', succeeded('saved'))
    expect(chained.state.run).toMatchObject({ status: 'SUCCEEDED', error: null })
    expect(chained.output()).toBe('saved')
  })

  test('what depends on the handler goes on, what depends on the failed step does not [C56]', async () => {
    const scene = sceneOf({
      nodes: steps('a', 'next', 'h', 'after'),
      edges: edgesOf('a>next', 'a:error>h', 'h>after'),
    })
    await scene.start()
    await scene.end('a', hopeless)
    expect(scene.skipped()).toEqual(['next'])
    await scene.end('h', succeeded(1))
    expect(scene.statuses()['after']).toBe('RUNNING')
  })

  test('a handler learns what failed, and one that is not needed holds nothing up [C56]', async () => {
    const scene = sceneOf({ nodes: steps('a', 'h', 'j'), edges: edgesOf('a:error>h', 'a>j', 'h>j') })
    await scene.start()
    await scene.end('a', succeeded(5))
    expect(scene.skipped()).toEqual(['h'])
    expect(scene.statuses()['j']).toBe('RUNNING')
    await scene.end('j', succeeded('end'))
    expect(scene.output()).toBe('end')
  })
})

describe('the end of a run', () => {
  test.for([
    { ends: [succeeded(), succeeded()], status: 'SUCCEEDED' },
    { ends: [hopeless, succeeded()], status: 'FAILED' },
    { ends: [timedOut(), succeeded()], status: 'TIMED_OUT' },
    { ends: [hopeless, timedOut()], status: 'FAILED' },
  ] as const)(
    'of branches that end $ends.0.kind and $ends.1.kind is $status [C57]',
    async ({ ends, status }) => {
      const scene = sceneOf({ nodes: steps('a', 'b'), edges: {}, settings: { onFailure: 'finish' } })
      await scene.start()
      await scene.end('a', ends[0])
      await scene.end('b', ends[1])
      expect(scene.state.run.status).toBe(status)
    },
  )

  test('a failure skips what depends on it, directly or not, and nothing else [C57]', async () => {
    const scene = sceneOf({
      nodes: steps('a', 'b', 'c', 'x', 'y'),
      edges: edgesOf('a>b', 'b>c', 'x>y'),
      settings: { onFailure: 'finish' },
    })
    await scene.start()
    await scene.end('a', hopeless)
    await scene.end('x', succeeded(1))
    expect(scene.statuses()).toMatchObject({ a: 'FAILED', x: 'SUCCESS', y: 'RUNNING' })
    expect(Object.keys(scene.statuses())).not.toContain('b')
    await scene.end('y', succeeded(2))
    expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { code: 'csv_invalid' } })
  })

  test('is in the checkpoint of its last step [T17]', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b'), edges: edgesOf('a>b') })
    await scene.start()
    const first = await scene.end('a')
    expect(first?.checkpoint.writes.invocations.map((record) => record.nodeId).sort()).toEqual(['a', 'b'])
    const last = await scene.end('b', succeeded('end'))
    const { writes, events } = last?.checkpoint ?? { writes: null, events: [] }
    expect(writes?.run).toMatchObject({ status: 'SUCCEEDED', output: { json: '"end"' } })
    expect(writes?.invocations).toMatchObject([{ nodeId: 'b', status: 'SUCCESS' }])
    expect(events.map(({ body }) => body.type)).toEqual(['invocation.changed', 'run.changed'])
  })

  test('a deadline of the run beside an unhandled failure leaves the failure as the cause [C57] [C62]', async () => {
    const scene = sceneOf({
      nodes: steps('a', 'b'),
      edges: {},
      settings: { onFailure: 'finish', timeoutMs: 500 },
    })
    await scene.start()
    await scene.end('a', hopeless)
    scene.now += 500
    await scene.decide(timeOutRun, { actor: 'reconciler', claims: false })
    await scene.end('b', { kind: 'cancelled' })
    expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { code: 'csv_invalid' } })
  })

  test('a denied step is final: nothing leads from it to another try [C58]', () => {
    expect(invocationMachine.final.has('DENIED')).toBe(true)
    expect(invocationMachine.table.rows.DENIED.to).toEqual([])
  })
})

describe('names of invocations', () => {
  test('are those of their place: again the same, another item or turn another [P49]', async () => {
    const scene = sceneOf({
      nodes: { each: { kind: 'map' }, step: { kind: 'noop', parent: 'each' } },
      edges: {},
    })
    await scene.start()
    const wait = {
      kind: 'items',
      items: { kind: 'inline', json: '[1,2]' },
      count: 2,
      limit: 2,
      tolerated: 0,
    } as const
    await scene.end('each', { kind: 'opens', wait })
    const first = scene.record('step@each:0')
    const second = scene.record('step@each:1')
    expect(first.id).not.toBe(second.id)
    expect(await scene.end('each', { kind: 'opens', wait })).toBeNull()
    expect([scene.record('step@each:0'), scene.record('step@each:1')]).toEqual([first, second])
    expect(Object.keys(scene.statuses())).toHaveLength(3)
  })

  test('give the outside one key in every attempt, another for each place and generation [P49]', () => {
    const place = {
      storeId: storeId('s'),
      runId: runId('r'),
      generation: 1,
      nodeId: nodeId('n'),
      path: 'each:0',
    }
    const key = idempotencyKeyOf(place)
    expect(idempotencyKeyOf({ ...place })).toBe(key)
    const others = [
      { ...place, path: 'each:1' },
      { ...place, generation: 2 },
      { ...place, runId: runId('r2') },
      { ...place, nodeId: nodeId('n2') },
      { ...place, storeId: storeId('s2') },
    ]
    expect(new Set([key, ...others.map(idempotencyKeyOf)]).size).toBe(6)
  })
})

describe('what stands still', () => {
  test('keeps its permit until it has ended [G4]', async () => {
    const concurrency = { running: 'TASK', onFull: 'reroute' }
    const scene = sceneOf({ nodes: { a: { kind: 'noop', concurrency } }, edges: {} })
    await scene.start()
    if (scene.statuses()['a'] !== 'RUNNING') {
      await scene.claim()
      await scene.begin('a')
    }
    const { id } = scene.record('a')
    const as = { actor: 'operator', claims: false } as const
    const asked = await scene.decide((state, context) => pauseNode(state, context, nodeId('a')), as)
    const paused = await scene.decide((state, context) => confirmPause(state, context, id), { claims: false })
    expect(scene.record('a').status).toBe('PAUSED')
    expect([asked, paused].flatMap((decision) => decision?.checkpoint.writes.release)).toEqual([])
    const ended = await scene.end('a')
    expect(ended?.checkpoint.writes.release).toHaveLength(1)
  })
})
