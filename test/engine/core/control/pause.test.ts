/** Pause, resume and skip as decisions: what they do to queued, waiting and running work. */

import { describe, expect, test } from 'vitest'
import {
  confirmPause,
  confirmResume,
  pauseNode,
  pauseRun,
  resumeNode,
  resumeRun,
} from '../../../../src-engine/core/control/pause.ts'
import { skipNode } from '../../../../src-engine/core/control/skip.ts'
import { cancelRun, resolveByPerson, wake } from '../../../../src-engine/core/requests.ts'
import { errorRecord } from '../../../../src-engine/model/errors.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { asks } from '../approvals/approval-scene.ts'
import type { Scene } from '../run-scene.ts'
import { failed, json, sceneOf, succeeded } from '../run-scene.ts'

const steps = (...ids: readonly string[]): JsonObject =>
  Object.fromEntries(ids.map((id) => [id, { kind: 'noop' }]))

const operator = { actor: 'operator', claims: false } as const
const owner = { claims: false } as const

const pause = (scene: Scene) => scene.decide(pauseRun, operator)
const resume = (scene: Scene) => scene.decide(resumeRun, { actor: 'operator' })

const pauseStep = (scene: Scene, id: string) =>
  scene.decide((state, context) => pauseNode(state, context, nodeId(id)), operator)
const resumeStep = (scene: Scene, id: string) =>
  scene.decide((state, context) => resumeNode(state, context, nodeId(id)), operator)
const skip = (scene: Scene, id: string) =>
  scene.decide((state, context) => skipNode(state, context, nodeId(id)), operator)

async function startedChain(): Promise<Scene> {
  const scene = sceneOf({ nodes: steps('a', 'b'), edges: edgesOf('a>b') })
  await scene.start()
  return scene
}

async function pausedProgram(started = startedChain()): Promise<Scene> {
  const scene = await started
  await pause(scene)
  const { id } = scene.record('a')
  scene.now += 100
  await scene.decide((state, context) => confirmPause(state, context, id), owner)
  return scene
}

const signal = { kind: 'signal', name: 'go', correlation: null, onTimeout: 'fail' } as const

describe('a paused run', () => {
  test('is paused once the step under way has ended, and keeps its result [S13]', async () => {
    const scene = await startedChain()
    await pause(scene)
    expect(scene.state.run).toMatchObject({ status: 'RUNNING', pauseRequestedAt: scene.now })
    await scene.end('a', succeeded(7))
    expect(scene.state.run.status).toBe('PAUSED')
    expect(scene.record('a')).toMatchObject({ status: 'SUCCESS', output: json(7) })
    expect(scene.record('b')).toMatchObject({ status: 'REGISTERED', waitReason: { code: 'paused' } })
    expect(await scene.claim()).toEqual([])
    await resume(scene)
    expect(scene.state.run).toMatchObject({ status: 'RUNNING', pauseRequestedAt: null })
    expect(await scene.claim()).toEqual(['b'])
    await scene.begin('b')
    await scene.end('b')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test('is asked once: again changes nothing [S17]', async () => {
    const scene = await startedChain()
    await pause(scene)
    expect(await pause(scene)).toBeNull()
    await scene.end('a')
    expect(await pause(scene)).toBeNull()
    expect(scene.state.run.status).toBe('PAUSED')
  })

  test('can neither be paused nor resumed after its end [S14] [S17]', async () => {
    const scene = await startedChain()
    await scene.end('a')
    await scene.end('b')
    const refused = { code: 'run_already_final' }
    await expect(pause(scene)).rejects.toMatchObject(refused)
    await expect(resume(scene)).rejects.toMatchObject(refused)
  })

  test('is the only one that can be resumed [S14]', async () => {
    const scene = await startedChain()
    await expect(resume(scene)).rejects.toMatchObject({ code: 'run_not_paused' })
  })

  test('is cancelled by a cancel, whichever came first [S15]', async () => {
    const paused = await startedChain()
    await pause(paused)
    await paused.decide(cancelRun, operator)
    await paused.end('a', { kind: 'cancelled' })
    expect(paused.state.run.status).toBe('CANCELLED')
    const cancelled = await startedChain()
    await cancelled.decide(cancelRun, operator)
    expect(await pause(cancelled)).toBeNull()
  })

  test('keeps a backoff where it was', async () => {
    const scene = sceneOf({ nodes: { a: { kind: 'noop', retry: { maxAttempts: 2 } } }, edges: {} })
    await scene.start()
    await scene.end('a', failed())
    const { notBefore } = scene.record('a')
    expect(scene.record('a')).toMatchObject({ status: 'RETRY', waitReason: { code: 'backoff' } })
    await pause(scene)
    expect(scene.state.run.status).toBe('PAUSED')
    await scene.decide(resumeRun, operator)
    expect(scene.record('a')).toMatchObject({ notBefore, waitReason: { code: 'backoff' } })
  })

  test('does not wake what waits for an instant, and wakes it late when it goes on [S13]', async () => {
    const scene = await startedChain()
    const until = scene.now + 1_000
    await scene.end('a', { kind: 'parked', until, reason: 'delay', output: json(1) })
    await pause(scene)
    expect(scene.state.run.status).toBe('PAUSED')
    scene.now = until + 5_000
    const { id } = scene.record('a')
    expect(await scene.decide((state, context) => wake(state, context, id))).toBeNull()
    await resume(scene)
    expect(scene.record('a')).toMatchObject({ status: 'WAITING', notBefore: until })
    await scene.decide((state, context) => wake(state, context, id))
    expect(scene.statuses()).toEqual({ a: 'SUCCESS', b: 'RUNNING' })
  })

  test('forgets its pause also for what a person has to decide on meanwhile', async () => {
    const scene = sceneOf({ nodes: { a: { kind: 'noop', sideEffect: 'unsafe' } }, edges: {} })
    await scene.start()
    await pause(scene)
    scene.capacity = 0
    await scene.end('a', { kind: 'handed-back', begun: true })
    expect(scene.record('a').status).toBe('APPROVAL_REQUIRED')
    await resume(scene)
    const { id } = scene.record('a')
    const again = { id, decision: { kind: 'run-again' } } as const
    await scene.decide((state, context) => resolveByPerson(state, context, again), operator)
    scene.capacity = 1
    await scene.claim()
    await scene.begin('a')
    expect(scene.record('a').status).toBe('RUNNING')
  })

  test('leaves what has ended as it is when it goes on', async () => {
    const scene = await startedChain()
    await pause(scene)
    await scene.end('a')
    const { version } = scene.record('a')
    await resume(scene)
    expect(scene.record('a').version).toBe(version)
    await expect(resume(scene)).rejects.toMatchObject({ code: 'run_not_paused' })
  })

  test('gives back what was claimed and had not begun', async () => {
    const scene = sceneOf({ nodes: steps('a'), edges: {} })
    scene.capacity = 0
    await scene.start()
    scene.capacity = 1
    await scene.claim()
    await pause(scene)
    await scene.begin('a')
    expect(scene.record('a')).toMatchObject({ status: 'REROUTED', waitReason: { code: 'paused' } })
    expect(scene.state.run.status).toBe('PAUSED')
  })
})

describe('a program that stands still', () => {
  test('is PAUSED without a deadline, then RESUMED with what was left of its time', async () => {
    const scene = await startedChain()
    const { deadlineAt, id } = scene.record('a')
    await pause(scene)
    scene.now += 100
    await scene.decide((state, context) => confirmPause(state, context, id), owner)
    expect(scene.record('a')).toMatchObject({ status: 'PAUSED', deadlineAt: null })
    expect(scene.state.run.status).toBe('PAUSED')
    scene.now += 1_000_000
    await scene.decide(resumeRun, operator)
    expect(await scene.decide((state, context) => confirmPause(state, context, id), owner)).toBeNull()
    await scene.decide((state, context) => confirmResume(state, context, id), owner)
    const resumed = scene.record('a')
    expect(resumed).toMatchObject({ status: 'RESUMED', deadlineAt: (deadlineAt ?? 0) + 1_000_000 })
    await scene.end('a')
    expect(scene.statuses()).toEqual({ a: 'SUCCESS', b: 'RUNNING' })
  })

  test('is recovered when its owner dies, and stays set aside until the run goes on [G2]', async () => {
    const scene = await pausedProgram()
    await scene.lose('a')
    expect(scene.record('a')).toMatchObject({ status: 'REROUTED', crashCount: 1, lease: null })
    expect(scene.state.run.status).toBe('PAUSED')
    expect(await scene.claim()).toEqual([])
    await scene.decide(resumeRun, operator)
    expect(await scene.claim()).toEqual(['a'])
  })

  test('is recovered when its owner dies after it went on [G2]', async () => {
    const scene = await pausedProgram()
    await scene.decide(resumeRun, operator)
    const { id } = scene.record('a')
    await scene.decide((state, context) => confirmResume(state, context, id), owner)
    await scene.lose('a')
    expect(scene.record('a')).toMatchObject({ status: 'REROUTED', crashCount: 1 })
  })

  test('may end in the moment in which it was to stand still', async () => {
    const scene = await pausedProgram()
    await scene.end('a', succeeded(1))
    expect(scene.record('a').status).toBe('SUCCESS')
    expect(scene.state.run.status).toBe('PAUSED')
  })

  test.each([
    [{ kind: 'stops', status: 'succeeded', output: json(1), error: errorRecord('run_stopped') }, 'SUCCESS'],
    [{ kind: 'awaits', wait: signal, until: null, output: json(1) }, 'WAITING'],
    [asks(), 'APPROVAL_REQUIRED'],
    [failed('csv_invalid', false), 'FAILED'],
    [failed(), 'RETRY'],
    [{ kind: 'unsure', error: errorRecord('indeterminate_effect') }, 'APPROVAL_REQUIRED'],
    [{ kind: 'handed-back', begun: false }, 'REROUTED'],
  ] as const)('may come to any end in that moment: %o', async (end, status) => {
    const alone = sceneOf({ nodes: { a: { kind: 'noop', retry: { maxAttempts: 2 } } } })
    const scene = await pausedProgram(alone.start().then(() => alone))
    await scene.end('a', end)
    expect(scene.record('a').status).toBe(status)
  })

  test('is cancelled where it stands', async () => {
    const scene = await pausedProgram()
    await scene.decide(cancelRun, operator)
    await scene.end('a', { kind: 'cancelled' })
    expect(scene.record('a').status).toBe('CANCELLED')
    expect(scene.state.run.status).toBe('CANCELLED')
  })
})

describe('one step', () => {
  test('is paused while the others go on', async () => {
    const scene = sceneOf({ nodes: steps('a', 'b', 'c'), edges: edgesOf('b>c') })
    scene.capacity = 0
    await scene.start()
    await pauseStep(scene, 'a')
    expect(await pauseStep(scene, 'a')).toBeNull()
    scene.capacity = 4
    expect(await scene.claim()).toEqual(['b'])
    await scene.begin('b')
    await scene.end('b')
    expect(scene.statuses()).toEqual({ a: 'REGISTERED', b: 'SUCCESS', c: 'RUNNING' })
    await resumeStep(scene, 'a')
    expect(await scene.claim()).toEqual(['a'])
  })

  test('that has ended, or has not begun, is refused by name', async () => {
    const scene = await startedChain()
    await expect(pauseStep(scene, 'b')).rejects.toMatchObject({ code: 'invocation_not_found' })
    await expect(skip(scene, 'nobody')).rejects.toMatchObject({ code: 'invocation_not_found' })
    await scene.end('a')
    await expect(pauseStep(scene, 'a')).rejects.toMatchObject({ code: 'step_already_final' })
    await expect(skip(scene, 'a')).rejects.toMatchObject({ code: 'step_already_final' })
  })
})

describe('a skipped step', () => {
  const forked = async () => {
    const scene = sceneOf({ nodes: steps('a', 'b', 'j'), edges: edgesOf('a>j', 'b>j') })
    scene.capacity = 0
    await scene.start()
    return scene
  }

  test('ends as cancelled, and its join goes on with the rest', async () => {
    const scene = await forked()
    await skip(scene, 'a')
    expect(scene.record('a')).toMatchObject({ status: 'CANCELLED', cause: { kind: 'skipped' } })
    scene.capacity = 1
    await scene.claim()
    await scene.begin('b')
    await scene.end('b')
    await scene.end('j')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })

  test.each([
    ['stops when its owner says so', { kind: 'cancelled' } as const],
    ['does not fail the run by failing meanwhile', failed()],
  ])('%s', async (_title, end) => {
    const scene = await forked()
    scene.capacity = 2
    await scene.claim()
    await scene.begin('a')
    await scene.begin('b')
    await skip(scene, 'a')
    expect(scene.record('a')).toMatchObject({ status: 'RUNNING', cancelRequestedAt: scene.now })
    expect(await skip(scene, 'a')).toBeNull()
    await scene.end('a', end)
    expect(scene.record('a')).toMatchObject({ status: 'CANCELLED', cause: { kind: 'skipped' } })
    await scene.end('b')
    await scene.end('j')
    expect(scene.state.run.status).toBe('SUCCEEDED')
  })
})
