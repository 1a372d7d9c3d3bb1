/** Which limit a step has reached, and what becomes of it. */

import { describe, expect, it } from 'vitest'
import { confirmPause, confirmResume, pauseRun, resumeRun } from '../../../src-engine/core/control/pause.ts'
import { overdue, timeOutInvocation } from '../../../src-engine/core/reconcile/time-out.ts'
import { noteUnclaimable } from '../../../src-engine/core/reconcile/unclaimable.ts'
import { workingSince } from '../../../src-engine/core/working-time.ts'
import { invocationId, nodeId, runId } from '../../../src-engine/model/ids.ts'
import type { Dispatch, InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { newInvocation } from '../../../src-engine/model/new-records.ts'
import type { Scene } from './run-scene.ts'
import { sceneOf } from './run-scene.ts'

const limits = { dispatchTimeoutMs: 300_000, runningTimeoutMs: 9_000_000 }
const claimedAt = (firstClaimedAt: number | null): Dispatch => ({
  firstClaimedAt,
  schedulingAttempts: 0,
  lastFailedRunner: null,
  pauseRequestedAt: null,
  beatAt: null,
})
const record = (given: Partial<InvocationRecord>): InvocationRecord =>
  newInvocation({
    id: invocationId('one'),
    runId: runId('run'),
    nodeId: nodeId('work'),
    taskKind: 'noop',
    registeredAt: 0,
    cause: { kind: 'upstream', by: null, detail: null },
    ...given,
  })

describe('overdue', () => {
  it('counts dispatch from the first claim, across reroutes [C47]', () => {
    const rerouted = record({ status: 'REROUTED', dispatch: claimedAt(1_000) })
    expect(overdue(rerouted, limits, 300_999)).toBeNull()
    expect(overdue(rerouted, limits, 301_000)).toBe('dispatch_timeout')
    expect(overdue({ ...rerouted, status: 'PENDING' }, limits, 301_000)).toBe('dispatch_timeout')
  })

  it('leaves alone what nobody claimed, what began since, and what may not begin yet', () => {
    const late = 10_000_000
    expect(overdue(record({}), limits, late)).toBeNull()
    const began = record({ status: 'RETRY', dispatch: claimedAt(1_000), startedAt: 1_000 })
    expect(overdue(began, limits, late)).toBeNull()
    // It began once, and was claimed anew since.
    const again = record({ status: 'PENDING', dispatch: claimedAt(1_000), startedAt: 999 })
    expect(overdue(again, limits, late)).toBe('dispatch_timeout')
    const deferred = record({ status: 'REROUTED', dispatch: claimedAt(1_000), notBefore: late + 1 })
    expect(overdue(deferred, limits, late)).toBeNull()
  })

  it('counts running from the beginning of the attempt [C47]', () => {
    const running = record({ status: 'RUNNING', startedAt: 5_000 })
    expect(overdue(running, limits, 9_004_999)).toBeNull()
    expect(overdue(running, limits, 9_005_000)).toBe('running_timeout')
    expect(overdue({ ...running, status: 'PAUSED' }, limits, 99_000_000)).toBeNull()
  })
})

describe('a step that was claimed and never began', () => {
  const claimedScene = async (): Promise<Scene> => {
    const scene = sceneOf({ nodes: { work: { kind: 'noop' } } })
    scene.capacity = 0
    await scene.start()
    scene.capacity = 1
    expect(await scene.claim()).toEqual(['work'])
    return scene
  }
  const reconcile = (scene: Scene) => {
    const { id } = scene.record('work')
    return scene.decide((state, context) => timeOutInvocation(state, context, { id, limits }), {
      actor: 'reconciler',
      claims: false,
    })
  }

  it('ends as TIMEOUT with its dead letter once nobody owns it [C47] [G12]', async () => {
    const scene = await claimedScene()
    expect(await reconcile(scene)).toBeNull()
    await scene.lose('work')
    expect(scene.statuses()).toEqual({ work: 'REROUTED' })
    scene.now += 300_000
    await reconcile(scene)
    expect(scene.statuses()).toEqual({ work: 'TIMEOUT' })
    expect(scene.deadLetters).toEqual(['dispatch_timeout'])
    expect(scene.state.run.status).toBe('TIMED_OUT')
    expect(await reconcile(scene)).toBeNull()
  })

  it('is taken from an owner whose lease has run out', async () => {
    const scene = await claimedScene()
    scene.now += 300_000
    await reconcile(scene)
    expect(scene.statuses()).toEqual({ work: 'TIMEOUT' })
  })

  it('is asked of an owner that has it still, and counts as its timeout whoever answers', async () => {
    const short = { ...limits, dispatchTimeoutMs: 10_000 }
    for (const answer of ['begin', 'lose'] as const) {
      const scene = await claimedScene()
      scene.now += 10_000
      const { id } = scene.record('work')
      await scene.decide((state, context) => timeOutInvocation(state, context, { id, limits: short }), {
        actor: 'reconciler',
        claims: false,
      })
      expect(scene.statuses()).toEqual({ work: 'PENDING' })
      await scene[answer]('work')
      expect(scene.statuses()).toEqual({ work: 'TIMEOUT' })
      expect(scene.deadLetters).toEqual(['dispatch_timeout'])
    }
  })
})

describe('a step that was paused', () => {
  it('is timed by what it worked: standing still costs it nothing, and going on is watched as before', async () => {
    const scene = sceneOf({ nodes: { work: { kind: 'noop' } } })
    await scene.start()
    const { id } = scene.record('work')
    const began = scene.now
    const reconcile = () =>
      scene.decide((state, context) => timeOutInvocation(state, context, { id, limits }), {
        actor: 'reconciler',
        claims: false,
      })
    const owner = { claims: false } as const
    const standStill = async (): Promise<void> => {
      await scene.decide(pauseRun, { actor: 'operator', claims: false })
      await scene.decide((state, context) => confirmPause(state, context, id), owner)
      scene.now += 50_000_000
      expect(await reconcile()).toBeNull()
      await scene.decide(resumeRun, { actor: 'operator' })
      await scene.decide((state, context) => confirmResume(state, context, id), owner)
    }
    scene.now += 4_000_000
    await standStill()
    scene.now += 4_000_000
    await standStill()
    expect(scene.statuses()).toEqual({ work: 'RESUMED' })
    expect(workingSince(scene.record('work'))).toBe(began + 100_000_000)
    scene.now += 999_999
    expect(await reconcile()).toBeNull()
    scene.now += 1
    // Nobody renewed its lease in this scene, so it ends at once.
    await reconcile()
    expect(scene.statuses()).toEqual({ work: 'TIMEOUT' })
    expect(scene.deadLetters).toEqual(['running_timeout'])
  })
})

describe('a step that was at work for too long, whose owner’s lease is over', () => {
  it.each([
    ['retry', 'TIMEOUT'],
    ['ask', 'RUNNING'],
  ])('and that is to %s where its owner is lost, is %s', async (onLost, status) => {
    const scene = sceneOf({ nodes: { work: { kind: 'noop', onLost, sideEffect: 'unsafe' } } })
    await scene.start()
    expect(scene.statuses()).toEqual({ work: 'RUNNING' })
    const { id } = scene.record('work')
    scene.now += limits.runningTimeoutMs
    await scene.decide((state, context) => timeOutInvocation(state, context, { id, limits }), {
      actor: 'reconciler',
      claims: false,
    })
    // What it may have done is recovery's business, which asks.
    expect(scene.statuses()).toEqual({ work: status })
  })
})

describe('a step that nobody could do', () => {
  it.each([
    ['is looked at again', undefined, 'REGISTERED'],
    ['ends once it has no time left', { totalMs: 5_000 }, 'TIMEOUT'],
  ])('%s', async (_, timeout, status) => {
    const scene = sceneOf({
      nodes: { work: { kind: 'noop', ...(timeout === undefined ? {} : { timeout }) } },
    })
    scene.capacity = 0
    await scene.start()
    const { id } = scene.record('work')
    scene.now += 6_000
    const rules = { schedulingAttemptsMax: 9, backoffInitialMs: 1, backoffMaxMs: 1, backoffJitterMs: 0 }
    const reason = { code: 'no_runner', message: 'Nobody can.' }
    const fact = { id, reason, pendingAgeMs: 0, rules, random: 0 }
    await scene.decide((state, context) => noteUnclaimable(state, context, fact), {
      actor: 'reconciler',
      claims: false,
    })
    expect(scene.statuses()).toEqual({ work: status })
  })
})
