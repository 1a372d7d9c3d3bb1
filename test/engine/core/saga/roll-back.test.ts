/** Compensations are recorded with the ends of their steps, and a rollback undoes them one after the other. */

import { describe, expect, test } from 'vitest'
import { pauseNode } from '../../../../src-engine/core/control/pause.ts'
import { cancelRun, timeOutRun } from '../../../../src-engine/core/requests.ts'
import { errorRecord } from '../../../../src-engine/model/errors.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { undoRoundsMax } from '../../../../src-engine/model/limits.ts'
import { withUnknownEffect } from '../../../../src-engine/model/unknown-effect.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { failed, json, timedOut } from '../run-scene.ts'
import { chain, endUndo, recordedOf, sagaOf, undo, undoRecord, undoStatuses } from './saga-scene.ts'

describe('recording', () => {
  test('the checkpoint of a success records what undoes it, once, in the order of the ends [C40] [C41]', async () => {
    const scene = chain(['a', 'b', 'c'])
    await scene.start()
    expect(undoStatuses(scene)).toEqual({})
    const first = await scene.end('a')
    expect(first?.checkpoint.writes.invocations.map(({ id }) => id)).toContain('run-1/a~undo')
    await scene.end('b')
    expect(recordedOf(scene)).toEqual(['a', 'b'])
    expect(undoRecord(scene, 'b')).toMatchObject({
      role: 'compensation',
      priority: 'CRITICAL',
      wait: { kind: 'rollback', of: 'run-1/b', place: 2, uncertain: false },
    })
  })

  test('it keeps nothing open: a run whose steps are done succeeds, and can still be undone', async () => {
    const scene = chain(['a', 'b'])
    await scene.start()
    await scene.end('a')
    expect(scene.state.activeCount).toBe(1)
    expect(scene.state.parkedCount).toBe(0)
    expect(scene.state.run.status).toBe('RUNNING')
    await scene.end('b')
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(recordedOf(scene)).toEqual(['a', 'b'])
  })

  test('a step that timed out may have had its effect, and is undone too; one that failed had none', async () => {
    const scene = sagaOf({ nodes: { a: undo({ onError: 'continue' }), b: undo() }, edges: edgesOf('a>b') })
    await scene.start()
    await scene.end('a', timedOut())
    expect(undoRecord(scene, 'a').wait).toMatchObject({ uncertain: true })
    await scene.end('b', failed('csv_invalid', false))
    expect(Object.keys(undoStatuses(scene))).toEqual(['a'])
  })

  test('a step whose answer was lost may have had its effect, whatever its last try says', async () => {
    const lost = errorRecord('http_unreachable', { details: withUnknownEffect({}), retryable: true })
    const retried = undo({ retry: { maxAttempts: 2, delayMs: 100 }, onError: 'continue' })
    const scene = sagaOf({ nodes: { a: retried, b: retried, c: undo() }, edges: edgesOf('a>b', 'b>c') })
    await scene.start()
    for (const [node, tries] of [
      ['a', [lost, errorRecord('http_status')]],
      ['b', [errorRecord('http_status'), lost]],
    ] as const) {
      for (const [index, error] of tries.entries()) {
        if (index > 0) {
          scene.now = scene.record(node).notBefore ?? scene.now
          expect(await scene.claim()).toEqual([node])
          await scene.begin(node)
        }
        await scene.end(node, { kind: 'failed', error: { ...error, retryable: true }, random: 0.5 })
      }
      expect(undoRecord(scene, node).wait).toMatchObject({ uncertain: true })
    }
    await scene.end('c', failed('http_unreachable', false))
    expect(Object.keys(undoStatuses(scene))).toEqual(['a', 'b'])
  })

  test('a step that was cancelled between two tries is undone if one of them may have had its effect', async () => {
    const lost = errorRecord('http_unreachable', { details: withUnknownEffect({}), retryable: true })
    const scene = sagaOf({ nodes: { a: undo({ retry: { maxAttempts: 2 } }) }, edges: {} })
    await scene.start()
    await scene.end('a', { kind: 'failed', error: lost, random: 0.5 })
    await scene.decide(cancelRun, { actor: 'operator' })
    expect(undoRecord(scene, 'a').dispatch?.undoes).toMatchObject({ uncertain: true })
  })

  test('a step that told how its last try failed, or never began, has nothing to undo when it is cancelled', async () => {
    const nodes = { a: undo({ retry: { maxAttempts: 2 } }), b: undo() }
    const scene = sagaOf({ nodes, edges: {} })
    scene.capacity = 1
    await scene.start()
    await scene.end('a', failed())
    scene.capacity = 0
    expect(scene.statuses()).toMatchObject({ a: 'RETRY', b: 'RUNNING' })
    const unbegun = sagaOf({ nodes, edges: {} })
    unbegun.capacity = 0
    await unbegun.start()
    for (const here of [scene, unbegun]) await here.decide(cancelRun, { actor: 'operator', claims: false })
    expect(undoStatuses(unbegun)).toEqual({})
    expect(unbegun.state.run.status).toBe('CANCELLED')
    await scene.end('b')
    expect(Object.keys(undoStatuses(scene))).toEqual(['b'])
  })

  test('a step that has no effect outside is undone only once it has succeeded', async () => {
    const scene = sagaOf({ nodes: { a: undo({ sideEffect: 'pure' }) }, edges: {} })
    await scene.start()
    await scene.end('a', timedOut())
    expect(undoStatuses(scene)).toEqual({})
    expect(scene.state.run.status).toBe('TIMED_OUT')
  })

  test('a step that ends after the cancel request is undone as well [C41]', async () => {
    const scene = chain(['a', 'b'])
    await scene.start()
    await scene.end('a')
    await scene.decide(cancelRun, { actor: 'operator' })
    expect(scene.state.run.status).toBe('RUNNING')
    await scene.end('b')
    expect(scene.state.run.status).toBe('COMPENSATING')
    expect(undoStatuses(scene)).toEqual({ a: 'WAITING', b: 'RUNNING' })
  })

  test('a step that was stopped while it ran may have had its effect', async () => {
    const scene = chain(['a', 'b'])
    await scene.start()
    await scene.end('a')
    await scene.decide(cancelRun, { actor: 'operator' })
    await scene.end('b', { kind: 'cancelled' })
    expect(undoRecord(scene, 'b').dispatch?.undoes).toMatchObject({ uncertain: true, place: 2 })
    expect(scene.state.run.status).toBe('COMPENSATING')
  })
})

describe('rollback', () => {
  test('undoes in the reverse order of the ends, the next once the one before has ended [C40]', async () => {
    const scene = chain(['a', 'b', 'c', 'd'])
    await scene.start()
    for (const node of ['a', 'b', 'c']) await scene.end(node)
    await scene.end('d', failed('csv_invalid', false))
    expect(scene.state.run).toMatchObject({ status: 'COMPENSATING', finishedAt: null })
    for (const [node, rest] of [
      ['c', { a: 'WAITING', b: 'WAITING', c: 'RUNNING' }],
      ['b', { a: 'WAITING', b: 'RUNNING', c: 'SUCCESS' }],
      ['a', { a: 'RUNNING', b: 'SUCCESS', c: 'SUCCESS' }],
    ] as const) {
      expect(undoStatuses(scene)).toEqual(rest)
      await endUndo(scene, node)
    }
    expect(scene.state.run).toMatchObject({ status: 'COMPENSATED', error: { code: 'csv_invalid' } })
    expect(scene.state.run.finishedAt).toBe(scene.now)
  })

  test.for([
    { title: 'failed', end: 'failed', rollbackOn: ['failed'], status: 'COMPENSATING' },
    { title: 'timed out', end: 'timed-out', rollbackOn: ['timed-out'], status: 'COMPENSATING' },
    { title: 'cancelled', end: 'cancelled', rollbackOn: ['cancelled'], status: 'COMPENSATING' },
    { title: 'failed, which is not named', end: 'failed', rollbackOn: ['cancelled'], status: 'FAILED' },
    { title: 'timed out, and nothing is named', end: 'timed-out', rollbackOn: [], status: 'TIMED_OUT' },
  ])('a run that $title is $status', async ({ end, rollbackOn, status }) => {
    const scene = chain(['a', 'b'], { settings: { rollbackOn, timeoutMs: 5_000 } })
    await scene.start()
    await scene.end('a')
    if (end === 'failed') await scene.end('b', failed('csv_invalid', false))
    else {
      scene.now += 5_000
      const request = end === 'cancelled' ? cancelRun : timeOutRun
      await scene.decide(request, { actor: end === 'cancelled' ? 'operator' : 'timer' })
      await scene.end('b', { kind: 'cancelled' })
    }
    expect(scene.state.run.status).toBe(status)
  })

  test('a run without anything to undo ends as it always did', async () => {
    const scene = chain(['a', 'b'])
    await scene.start()
    await scene.end('a', failed('csv_invalid', false))
    expect(scene.state.run.status).toBe('FAILED')
  })

  test('a compensation is tried again, and its last failure parks the rollback with a dead letter', async () => {
    const scene = chain(['a', 'b'])
    await scene.start()
    await scene.end('a')
    await scene.end('b', failed('csv_invalid', false))
    for (const status of ['RETRY', 'RETRY', 'FAILED']) {
      await endUndo(scene, 'a', failed())
      expect(undoRecord(scene, 'a').status).toBe(status)
      if (status === 'FAILED') break
      scene.now = undoRecord(scene, 'a').notBefore ?? scene.now
      expect(await scene.claim()).toEqual(['a'])
      await scene.beginId('run-1/a~undo')
    }
    expect(scene.state.run).toMatchObject({
      status: 'COMPENSATION_FAILED',
      finishedAt: null,
      waitReason: { code: 'compensation_failed' },
    })
    expect(scene.deadLetters).toEqual(['csv_invalid', 'task_failed'])
  })

  test('a compensation whose runner is lost is begun again, also in a cancelled run [C40]', async () => {
    const scene = chain(['a', 'b'])
    await scene.start()
    await scene.end('a')
    await scene.decide(cancelRun, { actor: 'operator' })
    await scene.end('b', { kind: 'cancelled' })
    expect(undoRecord(scene, 'b').status).toBe('RUNNING')
    await scene.loseId('run-1/b~undo')
    expect(undoRecord(scene, 'b')).toMatchObject({ status: 'REROUTED', crashCount: 1 })
    expect(await scene.claim()).toEqual(['b'])
    await scene.beginId('run-1/b~undo')
    await endUndo(scene, 'b')
    await endUndo(scene, 'a')
    expect(scene.state.run.status).toBe('COMPENSATED')
  })

  test('a map that was paused after one of its items ended holds up no undoing of that item', async () => {
    const scene = sagaOf({
      nodes: { each: { kind: 'map' }, item: undo({ parent: 'each' }), last: { kind: 'noop' } },
      edges: edgesOf('each>last'),
    })
    await scene.start()
    const wait = { kind: 'items', items: json([1, 2]), count: 2, limit: 1, tolerated: 0 } as const
    await scene.end('each', { kind: 'opens', wait })
    await scene.end('item@each:0')
    const by = { actor: 'operator', claims: false } as const
    await scene.decide((state, context) => pauseNode(state, context, nodeId('each')), by)
    expect(undoRecord(scene, 'item@each:0').dispatch).toBeNull()
    await scene.end('item@each:1', failed('csv_invalid', false))
    expect(undoStatuses(scene)).toEqual({ 'item@each:0': 'RUNNING' })
    await endUndo(scene, 'item@each:0')
    expect(scene.state.run.status).toBe('COMPENSATED')
  })

  test('what is recorded and means nothing any more is a dead letter, and the rest goes on [C40]', async () => {
    const scene = chain(['a', 'b', 'c'])
    await scene.start()
    for (const node of ['a', 'b']) await scene.end(node)
    scene.rebind(chain(['a', 'b', 'c'], {}, ['b']).state.workflow)
    await scene.end('c', failed('csv_invalid', false))
    expect(scene.deadLetters).toEqual(['csv_invalid', 'saga_unmarshal_failed'])
    expect(undoStatuses(scene)).toEqual({ a: 'RUNNING', b: 'FAILED' })
    await endUndo(scene, 'a')
    expect(scene.state.run.status).toBe('COMPENSATED')
  })
})

describe('a compensation that fails for good', () => {
  const group = (onFailure: string, nodes: readonly string[], more: JsonObject = {}) => ({
    sagaScopes: { s: { nodes: [...nodes], onFailure, ...more } },
  })
  const lettersOf = (decision: Awaited<ReturnType<typeof endUndo>>) =>
    (decision?.checkpoint.writes.deadLetters ?? []).map(({ id }) => id)
  const failing = async (parts: JsonObject, capacity?: number) => {
    const scene = chain(['a', 'b', 'c', 'd'], parts, ['d'])
    scene.capacity = capacity ?? scene.capacity
    await scene.start()
    for (const node of ['a', 'b', 'c']) await scene.end(node)
    await scene.end('d', failed('csv_invalid', false))
    await endUndo(scene, 'c')
    return scene
  }
  const broken = failed('csv_invalid', false)

  test('parks the rollback where no group says otherwise, or its group asks', async () => {
    for (const parts of [{}, group('ask', ['b']), group('stop', ['a']), group('retry', ['a', 'c'])]) {
      const scene = await failing(parts)
      await endUndo(scene, 'b', broken)
      expect(scene.state.run.status).toBe('COMPENSATION_FAILED')
    }
  })

  test('begins anew after a pause that grows, as its group says; nobody is told until then', async () => {
    const scene = await failing(group('retry', ['b']))
    for (const [round, pause] of [30_000, 60_000, 120_000].entries()) {
      const decision = await endUndo(scene, 'b', broken)
      expect(lettersOf(decision)).toEqual([])
      expect(scene.state.run.status).toBe('COMPENSATING')
      const record = undoRecord(scene, 'b')
      expect(record).toMatchObject({ status: 'REGISTERED', notBefore: scene.now + pause })
      expect(record.id).toBe(`run-1/b~undo${round + 2}`)
      expect(record.waitReason?.code).toBe('backoff')
      expect(await scene.claim()).toEqual([])
      scene.now += pause
      expect(await scene.claim()).toHaveLength(1)
      await scene.beginId(record.id)
    }
    await endUndo(scene, 'b')
    await endUndo(scene, 'a')
    expect(scene.state.run.status).toBe('COMPENSATED')
  })

  test('asks a person after so many rounds', async () => {
    const scene = await failing(group('retry', ['b']))
    let rounds = 0
    for (; scene.state.run.status === 'COMPENSATING' && rounds < 200; rounds += 1) {
      await endUndo(scene, 'b', broken)
      const { status, notBefore, id } = undoRecord(scene, 'b')
      if (status !== 'REGISTERED') break
      scene.now = notBefore ?? scene.now
      await scene.claim()
      await scene.beginId(id)
    }
    expect(rounds).toBe(undoRoundsMax)
    expect(scene.state.run.status).toBe('COMPENSATION_FAILED')
  })

  test('ends the rollback where its group says so: nothing more is undone, and somebody is told', async () => {
    const scene = await failing(group('stop', ['b']))
    const decision = await endUndo(scene, 'b', broken)
    expect(scene.state.run).toMatchObject({ status: 'ABANDONED', finishedAt: scene.now, waitReason: null })
    expect(undoStatuses(scene)).toEqual({ a: 'CANCELLED', b: 'CANCELLED', c: 'SUCCESS' })
    expect(lettersOf(decision)).toContain('run-1/b~undo:csv_invalid')
  })

  test('in a group that is undone at once the others end first; one that asks counts before one that stops', async () => {
    const scene = await failing(group('stop', ['a', 'b'], { order: 'parallel' }))
    await endUndo(scene, 'b', broken)
    expect(scene.state.run.status).toBe('COMPENSATING')
    await endUndo(scene, 'a')
    expect(scene.state.run.status).toBe('ABANDONED')
    expect(undoStatuses(scene)).toMatchObject({ a: 'SUCCESS', b: 'CANCELLED' })
  })

  test('its failure is not the run’s: that keeps what it was undone for', async () => {
    const scene = chain(['a', 'b'], { settings: { rollbackOn: ['timed-out'] } })
    await scene.start()
    await scene.end('a')
    await scene.end('b', timedOut())
    // It may have had its effect, and is undone first.
    await endUndo(scene, 'b')
    await endUndo(scene, 'a', broken)
    expect(scene.state.run).toMatchObject({
      status: 'COMPENSATION_FAILED',
      error: { code: 'task_timeout' },
    })
  })

  test('what is undone at once begins as places are free', async () => {
    const scene = await failing(group('ask', ['a', 'b'], { order: 'parallel' }), 1)
    expect(undoStatuses(scene)).toMatchObject({ a: 'REROUTED', b: 'RUNNING' })
    await endUndo(scene, 'b')
    expect(undoStatuses(scene)).toMatchObject({ a: 'RUNNING', b: 'SUCCESS' })
  })

  test('inside of a map the group of the map says it', async () => {
    const scene = sagaOf({
      nodes: {
        m: { kind: 'map', parameters: { items: '[1]' } },
        x: undo({ parent: 'm' }),
        z: { kind: 'noop' },
      },
      edges: edgesOf('m>z'),
      ...group('stop', ['m']),
    })
    await scene.start()
    const wait = { kind: 'items', count: 1, limit: 1, tolerated: 0, items: json([1]) } as const
    await scene.end('m', { kind: 'opens', wait })
    await scene.end('x@m:0')
    await scene.end('z', broken)
    await endUndo(scene, 'x@m:0', broken)
    expect(scene.state.run.status).toBe('ABANDONED')
  })
})
