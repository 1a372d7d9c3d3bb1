/** Pauses of single steps: whatever a step waits for, it stands still, and goes on where it stood. */

import { describe, expect, test } from 'vitest'
import { pauseNode, resumeNode } from '../../../../src-engine/core/control/pause.ts'
import type { AttemptEnd } from '../../../../src-engine/core/finish-attempt.ts'
import { leaveLine, waitForPermit } from '../../../../src-engine/core/permits/wait-for-permit.ts'
import { deliverSignal } from '../../../../src-engine/core/signals.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { Scene } from '../run-scene.ts'
import { json, sceneOf, succeeded } from '../run-scene.ts'

const pauseStep = (scene: Scene, id: string) =>
  scene.decide((state, context) => pauseNode(state, context, nodeId(id)), {
    actor: 'operator',
    claims: false,
  })
const resumeStep = (scene: Scene, id: string) =>
  scene.decide((state, context) => resumeNode(state, context, nodeId(id)), { actor: 'operator' })

const signalWait: AttemptEnd = {
  kind: 'awaits',
  wait: { kind: 'signal', name: 'go', correlation: null, onTimeout: 'fail' },
  until: null,
  output: json(null),
}

const send = (scene: Scene, messageId: string, otherwise: 'keep' | 'drop' = 'keep') =>
  scene.decide(
    (state, context) =>
      deliverSignal(state, context, {
        signal: { messageId, name: 'go', correlation: null, payload: json(messageId), at: scene.now },
        value: messageId,
        otherwise,
      }),
    { actor: 'operator' },
  )

describe('a step that waits for a signal without a limit', () => {
  const waiting = async (): Promise<Scene> => {
    const scene = sceneOf({ nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } }, edges: edgesOf('a>b') })
    await scene.start()
    await scene.end('a', signalWait)
    return scene
  }

  test('stands still: what comes meanwhile is kept, and taken when it goes on', async () => {
    const scene = await waiting()
    await pauseStep(scene, 'a')
    expect(scene.record('a')).toMatchObject({ status: 'WAITING', waitReason: { code: 'paused' } })
    await send(scene, 'first')
    await send(scene, 'second', 'drop')
    expect(await send(scene, 'second')).toBeNull()
    expect(scene.record('a').status).toBe('WAITING')
    expect(scene.state.run.signals.map(({ messageId }) => messageId)).toEqual(['first', 'second'])
    await resumeStep(scene, 'a')
    expect(scene.record('a')).toMatchObject({ status: 'SUCCESS', output: json('first') })
    expect(scene.record('b').status).toBe('RUNNING')
    expect(scene.state.run.signals.map(({ messageId }) => messageId)).toEqual(['second'])
  })

  test('waits on when nothing came', async () => {
    const scene = await waiting()
    await pauseStep(scene, 'a')
    await resumeStep(scene, 'a')
    expect(scene.record('a')).toMatchObject({
      status: 'WAITING',
      notBefore: null,
      waitReason: { code: 'signal' },
    })
    await send(scene, 'late')
    expect(scene.record('a').status).toBe('SUCCESS')
  })
})

const each = (body: JsonObject = {}): JsonObject => ({
  nodes: {
    each: { kind: 'map' },
    step: { kind: 'noop', parent: 'each' },
    next: { kind: 'noop', parent: 'each' },
    after: { kind: 'noop' },
    ...body,
  },
  edges: edgesOf('step>next', 'each>after'),
})
const items = (count: number, limit = 10): AttemptEnd => ({
  kind: 'opens',
  wait: { kind: 'items', items: json([]), count, limit, tolerated: 0 },
})

describe('a map', () => {
  test('stands still with all of its items, and opens no others', async () => {
    const scene = sceneOf(each())
    await scene.start()
    await scene.end('each', items(3, 2))
    await pauseStep(scene, 'each')
    expect(await pauseStep(scene, 'each')).toBeNull()
    expect(scene.record('step@each:0').dispatch?.pauseRequestedAt).toBe(scene.now)
    await scene.end('step@each:0')
    expect(scene.record('next@each:0')).toMatchObject({
      status: 'REGISTERED',
      waitReason: { code: 'paused' },
    })
    await scene.end('step@each:1', succeeded(1))
    expect(await scene.claim()).toEqual([])
    expect(scene.record('each')).toMatchObject({ status: 'WAITING', waitReason: { code: 'paused' } })
    await resumeStep(scene, 'each')
    expect(scene.state.pausedBodies).toBeNull()
    expect(await scene.claim()).toEqual(['next', 'next'])
    for (const item of [0, 1]) {
      await scene.begin(`next@each:${item}`)
      await scene.end(`next@each:${item}`)
    }
    await scene.end('step@each:2')
    await scene.end('next@each:2')
    expect(scene.record('each').status).toBe('SUCCESS')
    await scene.end('after')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('whose items are only just known opens them without beginning any', async () => {
    const scene = sceneOf(each())
    await scene.start()
    await pauseStep(scene, 'each')
    await scene.end('each', items(2))
    expect(scene.record('each')).toMatchObject({ status: 'WAITING', waitReason: { code: 'paused' } })
    expect(scene.record('step@each:1')).toMatchObject({
      status: 'REGISTERED',
      waitReason: { code: 'paused' },
    })
    expect(await scene.claim()).toEqual([])
    await resumeStep(scene, 'each')
    expect(await scene.claim()).toHaveLength(2)
  })

  test('takes its items with it: one of them alone can’t be resumed', async () => {
    const scene = sceneOf(each())
    scene.capacity = 0
    await scene.start()
    scene.capacity = 1
    await scene.claim()
    await scene.begin('each')
    await scene.end('each', items(1))
    await pauseStep(scene, 'each')
    const refused = { code: 'run_paused', details: { pausedNodeId: 'each' } }
    await expect(resumeStep(scene, 'step')).rejects.toMatchObject(refused)
  })
})

test('a loop stands still between its turns, and goes on with the next', async () => {
  const turn = (iteration: number): AttemptEnd => ({
    kind: 'opens',
    wait: { kind: 'turn', iteration, value: json(iteration) },
  })
  const scene = sceneOf({
    nodes: { again: { kind: 'loop' }, step: { kind: 'noop', parent: 'again' } },
    edges: {},
  })
  await scene.start()
  await scene.end('again', turn(0))
  await pauseStep(scene, 'again')
  await scene.end('step@again:0', succeeded(1))
  expect(scene.record('again')).toMatchObject({ status: 'REROUTED', waitReason: { code: 'paused' } })
  expect(await scene.claim()).toEqual([])
  await resumeStep(scene, 'again')
  expect(await scene.claim()).toEqual(['again'])
  await scene.begin('again')
  await scene.end('again', turn(1))
  expect(scene.record('step@again:1').status).toBe('RUNNING')
})

test('a step in line for a permit keeps its place, and begins nothing before it is resumed', async () => {
  const concurrency = { running: 'TASK', limit: 1, onFull: 'reroute' }
  const scene = sceneOf({ nodes: { a: { kind: 'noop', concurrency } }, edges: {} })
  scene.capacity = 0
  await scene.start()
  const { id, permits: plan } = scene.record('a')
  const missing = { id, key: 'node:w/a', holders: ['other'], plan, onFull: 'reroute' as const }
  await scene.decide((state, context) => waitForPermit(state, context, missing), { claims: false })
  await pauseStep(scene, 'a')
  expect(scene.record('a')).toMatchObject({
    status: 'CONCURRENCY_CONTROLLED',
    dispatch: { pauseRequestedAt: scene.now },
  })
  await scene.decide((state, context) => leaveLine(state, context, id), { claims: false })
  expect(scene.record('a')).toMatchObject({ status: 'REROUTED', waitReason: { code: 'paused' } })
  scene.capacity = 1
  expect(await scene.claim()).toEqual([])
  await resumeStep(scene, 'a')
  expect(await scene.claim()).toEqual(['a'])
})
