/** What a compensation says counts instead of what its step, or the node that undoes, says. */

import { describe, expect, test } from 'vitest'
import type { CompiledNode } from '../../../../src-engine/core/compile.ts'
import { compileWorkflow } from '../../../../src-engine/core/compile.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { failed } from '../run-scene.ts'
import { sagaOf, undo, undoRecord } from './saga-scene.ts'

/** The node that undoes `a`, which a document has with these fields. */
function undoing(a: JsonObject, compensation: JsonObject, others: JsonObject = {}) {
  const nodes = { a: { kind: 'noop', ...a, compensation }, ...others }
  const found = compileWorkflow(documentOf({ nodes }), taskSpecsByKind).nodes[0]?.undo
  if (found === undefined || found === null) throw new Error('nothing undoes it')
  return found
}

const task = { kind: 'http-request', parameters: { url: 'https://x' } }
const placed = ({ pool, topic, route }: CompiledNode) => ({ pool, topic, route })

describe('where a compensation runs', () => {
  const gpu = { pool: 'gpu', tags: ['big'], route: { labels: { 'node.zone': 'eu', team: 'pay' } } }

  test('a task runs where its step does, unless the compensation says otherwise', () => {
    expect(placed(undoing(gpu, { task }).node)).toMatchObject({
      pool: 'gpu',
      topic: null,
      route: { pools: ['gpu'], labels: ['node.zone=eu'], tags: ['big'] },
    })
    const route = { labels: { 'node.disk': 'fast' }, requires: ['refunds'] }
    expect(placed(undoing(gpu, { task, pool: 'till', route }).node)).toMatchObject({
      pool: 'till',
      topic: null,
      route: { pools: ['till'], labels: ['node.disk=fast', 'node.zone=eu'], requires: ['refunds'] },
    })
  })

  test('its topic counts, also where its step names a pool', () => {
    expect(undoing(gpu, { task, route: { topic: 'refunds' } }).node).toMatchObject({
      topic: 'refunds',
      route: { pools: [] },
    })
    expect(undoing({}, { task }).node.topic).toBe('http-request')
  })

  test('a node of its own says where it runs, unless the compensation says otherwise', () => {
    const other = { u: { kind: 'noop', pool: 'own', route: { requires: ['x'] } } }
    expect(undoing(gpu, { node: 'u' }, other).node).toMatchObject({ pool: 'own', tags: [] })
    expect(undoing(gpu, { node: 'u', pool: 'till' }, other).node).toMatchObject({
      pool: 'till',
      route: { pools: ['till'], requires: ['x'] },
    })
  })

  test('its record is where it says, with the first place in line', async () => {
    const compensation = { task: { kind: 'noop', parameters: {} }, pool: 'till', route: { requires: ['x'] } }
    const scene = sagaOf({ nodes: { a: undo({ compensation }), b: undo() }, edges: edgesOf('a>b') })
    await scene.start()
    await scene.end('a')
    await scene.end('b', failed('csv_invalid', false))
    expect(undoRecord(scene, 'a')).toMatchObject({
      status: 'REROUTED',
      priority: 'CRITICAL',
      pool: 'till',
      route: { pools: ['till'], requires: ['x'] },
    })
  })
})

describe('how a compensation runs', () => {
  test('it is CRITICAL, whatever it says; its bounds are those of the node, then its own', () => {
    const u = {
      kind: 'noop',
      priority: 'MINIMAL',
      retry: { maxAttempts: 9, delayMs: 5 },
      timeout: { attemptMs: 7_000, totalMs: 9_000 },
      concurrency: { registration: 'TASK', running: 'TASK', onFull: 'final' },
      compensation: { task },
      onError: 'continue',
    }
    const said = { node: 'u', retry: { maxAttempts: 2 }, timeout: { totalMs: 1_000 } }
    const { node } = undoing({}, said, { u })
    expect(node).toMatchObject({
      priority: 'CRITICAL',
      retry: { maxAttempts: 2, delayMs: 5 },
      attemptTimeoutMs: 7_000,
      totalTimeoutMs: 1_000,
      onError: 'fail',
      undo: null,
    })
    expect(undoing({}, { task }).node.retry.maxAttempts).toBe(3)
    expect(undoing({ priority: 'LOW', timeout: { attemptMs: 1 } }, { task }).node).toMatchObject({
      priority: 'CRITICAL',
      attemptTimeoutMs: 3_600_000,
    })
  })

  test('policies know it by its labels and abilities, and nobody can take its own from it', () => {
    const labels = { team: 'money', is_compensation: 'no' }
    const { route } = undoing(
      { route: { labels: { zone: 'eu', team: 'pay' } } },
      { task, labels, route: { labels: { zone: 'us' }, requires: ['refunds'] } },
    )
    expect(route).toEqual({
      requires: ['refunds'],
      labels: {
        zone: 'us',
        team: 'money',
        saga_compensation: 'true',
        is_compensation: 'true',
        saga_workflow_id: documentOf({}).id,
      },
    })
  })
})
