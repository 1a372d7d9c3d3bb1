/** What becomes of a step that asks a person: how it is decided, by whom, and what nobody's answer comes to. */

import { describe, expect, test } from 'vitest'
import { pauseNode, pauseRun, resumeNode, resumeRun } from '../../../../src-engine/core/control/pause.ts'
import { skipNode } from '../../../../src-engine/core/control/skip.ts'
import { cancelRun, resolveByPerson, timeOutRun, wake } from '../../../../src-engine/core/requests.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { Scene } from '../run-scene.ts'
import { failed, json, sceneOf, sceneStart, succeeded } from '../run-scene.ts'
import { askByPolicy, askingScene, asks, say, waitOf } from './approval-scene.ts'

const asked = async (set: Parameters<typeof asks>[0] = {}, ask = {}, parts = {}): Promise<Scene> => {
  const scene = askingScene(ask, parts)
  await scene.start()
  await scene.end('ask', asks(set))
  return scene
}

const operator = { actor: 'operator' } as const
const wakes = (scene: Scene) => {
  const { id } = scene.record('ask')
  return scene.decide((state, context) => wake(state, context, id), { actor: 'timer' })
}

describe('a decision', () => {
  test.for([
    ['approve', 'approved', 'yes'],
    ['reject', 'rejected', 'no'],
    ['push-back', 'changes', 'anew'],
  ] as const)('%s leaves by its port, once [C25] [C28]', async ([answer, outcome, next]) => {
    const scene = await asked()
    expect(scene.record('ask')).toMatchObject({ status: 'APPROVAL_REQUIRED', lease: null })
    expect(scene.state.run.status).toBe('WAITING')
    const made = await say(scene, answer)
    expect(scene.record('ask')).toMatchObject({
      status: 'SUCCESS',
      ports: [outcome],
      output: json({ decision: answer, by: 'ada' }),
      wait: null,
      dispatch: { approval: { outcome, by: 'ada', hash: 'seen', revision: 1, at: sceneStart } },
    })
    expect(scene.started).toEqual([next])
    expect(made?.checkpoint.events.map(({ body }) => body.type)).toContain('invocation.changed')
    // Said again it changes nothing; otherwise it is refused in words.
    expect(await say(scene, answer)).toBeNull()
    const other = answer === 'approve' ? 'reject' : 'approve'
    await expect(say(scene, other)).rejects.toMatchObject({ code: 'approval_already_decided' })
    await scene.end(next, succeeded())
    expect(scene.state.run.status).toBe('SUCCEEDED')
    expect(await say(scene, answer)).toBeNull()
  })

  test('about something else than was seen is refused, before and after the end [C27]', async () => {
    const scene = await asked()
    await expect(say(scene, 'approve', { hash: 'other' })).rejects.toMatchObject({ code: 'approval_stale' })
    expect(scene.record('ask').status).toBe('APPROVAL_REQUIRED')
    await say(scene, 'approve')
    await expect(say(scene, 'approve', { hash: 'other' })).rejects.toMatchObject({ code: 'approval_stale' })
  })

  test('of a step that never asked is refused, and of an ended run [C60]', async () => {
    const scene = await asked()
    await say(scene, 'approve')
    await expect(say(scene, 'approve', { node: 'yes' })).rejects.toMatchObject({ code: 'approval_not_found' })
    await scene.decide(cancelRun, operator)
    await scene.end('yes', { kind: 'cancelled' })
    await expect(say(scene, 'approve', { node: 'yes' })).rejects.toMatchObject({ code: 'run_already_final' })
  })

  test('is for those who were named', async () => {
    const scene = await asked({ approvers: ['bob'] })
    await expect(say(scene, 'reject')).rejects.toMatchObject({ code: 'approval_not_allowed' })
    await say(scene, 'reject', { by: 'bob' })
    expect(scene.record('ask').ports).toEqual(['rejected'])
  })

  test.for([{ otherPerson: true }, { setting: true }])(
    'is not for who had the run begin, where $otherPerson $setting asks for somebody else [C30]',
    async ({ otherPerson = false, setting = false }) => {
      const scene = await asked({ otherPerson })
      const own = { starters: ['ada'], otherPerson: setting }
      for (const answer of ['approve', 'reject'] as const)
        await expect(say(scene, answer, own)).rejects.toMatchObject({ code: 'approval_not_allowed' })
      await say(scene, 'approve', { ...own, by: 'bob' })
      expect(scene.record('ask').status).toBe('SUCCESS')
    },
  )

  test('to push back needs a way for it', async () => {
    const scene = await asked({ pushBack: false })
    await expect(say(scene, 'push-back')).rejects.toMatchObject({ code: 'approval_not_actionable' })
  })

  test('that rejects may deny the step: its error port, or the run’s end [C56] [C57]', async () => {
    const scene = await asked({ onReject: 'deny' })
    await say(scene, 'reject')
    expect(scene.record('ask')).toMatchObject({ status: 'DENIED', error: { code: 'approval_rejected' } })
    expect(scene.record('ask').error?.message).toContain('ada')
    expect(scene.state.run).toMatchObject({ status: 'DENIED', error: { code: 'approval_rejected' } })
    expect(scene.deadLetters).toEqual(['approval_rejected'])

    const handled = sceneOf({
      nodes: { ask: { kind: 'approval' }, other: { kind: 'noop' } },
      edges: edgesOf('ask:error>other'),
    })
    await handled.start()
    await handled.end('ask', asks({ onReject: 'deny' }))
    await say(handled, 'reject')
    expect(handled.record('ask')).toMatchObject({ status: 'DENIED', ports: ['error'] })
    expect(handled.started).toEqual(['other'])
    expect(handled.deadLetters).toEqual([])
  })

  test('a failure beats a denial, and a denial a timeout [C57]', async () => {
    const scene = sceneOf({
      nodes: { slow: { kind: 'noop' }, ask: { kind: 'approval' }, bad: { kind: 'noop' } },
      edges: {},
      settings: { onFailure: 'finish' },
    })
    await scene.start()
    await scene.end('ask', asks({ onReject: 'deny', onExpiry: 'fail', expiresAt: sceneStart + 5 }))
    const late = { code: 'task_timeout', message: 'late', hint: '', details: {}, retryable: false }
    await scene.end('slow', { kind: 'timed-out', error: late, random: 0 })
    expect(scene.state.run.error?.code).toBe('task_timeout')
    await say(scene, 'reject')
    expect(scene.state.run.error?.code).toBe('approval_rejected')
    await scene.end('bad', failed('csv_invalid', false))
    expect(scene.state.run).toMatchObject({ status: 'FAILED', error: { code: 'csv_invalid' } })
  })
})

describe('a question of the policy', () => {
  const atWork = async (): Promise<Scene> => {
    const scene = sceneOf({ nodes: { pay: { kind: 'noop' } }, edges: {} })
    scene.capacity = 0
    await scene.start()
    scene.capacity = 4
    await scene.claim()
    expect(scene.record('pay').status).toBe('PENDING')
    return scene
  }

  test('gives the claim back; approved, the step is available, and knows by what [C24] [C29]', async () => {
    const scene = await atWork()
    await askByPolicy(scene, 'pay', { policy: { rule: 'money' } })
    expect(scene.record('pay')).toMatchObject({ status: 'APPROVAL_REQUIRED', lease: null })
    await say(scene, 'approve', { node: 'pay' })
    expect(scene.record('pay').dispatch?.approval).toMatchObject({
      for: 'policy',
      outcome: 'approved',
      policy: { rule: 'money' },
    })
    expect(scene.record('pay')).toMatchObject({ status: 'REROUTED', wait: null, notBefore: null })
    expect(await scene.claim()).toEqual(['pay'])
    expect(await say(scene, 'approve', { node: 'pay' })).toBeNull()
  })

  test('asked anew it is another revision, and what was said of the first counts no more [C24]', async () => {
    const scene = await atWork()
    await askByPolicy(scene, 'pay')
    scene.capacity = 0
    await say(scene, 'approve', { node: 'pay' })
    await askByPolicy(scene, 'pay')
    const { hash, revision } = waitOf(scene, 'pay')
    expect(revision).toBe(2)
    await expect(say(scene, 'approve', { node: 'pay' })).rejects.toMatchObject({ code: 'approval_stale' })
    await say(scene, 'approve', { node: 'pay', hash })
    expect(scene.record('pay')).toMatchObject({ status: 'REROUTED', dispatch: { approval: { revision: 2 } } })
  })

  test('rejected, or left undecided, the step is denied', async () => {
    const rejected = await atWork()
    await askByPolicy(rejected, 'pay')
    await say(rejected, 'reject', { node: 'pay' })
    const expired = await atWork()
    await askByPolicy(expired, 'pay', { expiresAt: sceneStart + 10 })
    expired.now += 10
    const { id } = expired.record('pay')
    await expired.decide((state, context) => wake(state, context, id), { actor: 'timer' })
    for (const scene of [rejected, expired]) {
      expect(scene.record('pay').status).toBe('DENIED')
      expect(scene.state.run.status).toBe('DENIED')
      expect(scene.deadLetters).toEqual(['approval_rejected'])
    }
  })

  test('is answered while the run stands still, and the step goes on with it', async () => {
    const scene = await atWork()
    await askByPolicy(scene, 'pay', { expiresAt: sceneStart + 10 })
    await scene.decide((state, context) => pauseRun(state, context), operator)
    await say(scene, 'approve', { node: 'pay' })
    expect(scene.record('pay').status).toBe('REROUTED')
    expect(await scene.claim()).toEqual([])
    await scene.decide((state, context) => resumeRun(state, context), operator)
    expect(await scene.claim()).toEqual(['pay'])
  })
})

describe('nobody’s answer', () => {
  test.for([
    ['reject', 'port', 'SUCCESS', ['rejected']],
    ['reject', 'deny', 'DENIED', null],
    ['fail', 'port', 'TIMEOUT', null],
  ] as const)('with %s and %s ends as %s, at its instant', async ([onExpiry, onReject, status, ports]) => {
    const scene = await asked({ onExpiry, onReject, expiresAt: sceneStart + 100 })
    expect(scene.record('ask').notBefore).toBe(sceneStart + 100)
    scene.now += 99
    expect(await wakes(scene)).toBeNull()
    scene.now += 1
    await expect(say(scene, 'approve')).rejects.toMatchObject({ code: 'approval_not_actionable' })
    await wakes(scene)
    expect(scene.record('ask')).toMatchObject({
      status,
      ports,
      dispatch: { approval: { outcome: 'expired', by: null } },
    })
    await expect(say(scene, 'approve')).rejects.toMatchObject({ code: 'approval_already_decided' })
  })

  test('has more people asked first, and then it is over', async () => {
    const scene = await asked({
      approvers: ['bob'],
      escalateAt: sceneStart + 50,
      escalateTo: ['eve'],
      expiresAt: sceneStart + 100,
    })
    expect(scene.record('ask').notBefore).toBe(sceneStart + 50)
    await expect(say(scene, 'approve', { by: 'eve' })).rejects.toMatchObject({ code: 'approval_not_allowed' })
    scene.now += 50
    await wakes(scene)
    expect(waitOf(scene)).toMatchObject({ approvers: ['bob', 'eve'], escalatedAt: scene.now, hash: 'seen' })
    expect(scene.record('ask').notBefore).toBe(sceneStart + 100)
    await say(scene, 'approve', { by: 'eve' })
    expect(scene.record('ask').ports).toEqual(['approved'])
  })

  test('counts against the step’s total time and the run’s', async () => {
    const cut = await asked({ expiresAt: sceneStart + 500 }, { timeout: { totalMs: 100 } })
    expect(cut.record('ask').notBefore).toBe(sceneStart + 100)
    cut.now += 100
    await wakes(cut)
    expect(cut.record('ask')).toMatchObject({ status: 'TIMEOUT', error: { code: 'task_timeout' } })

    const late = await asked({}, {}, { settings: { timeoutMs: 100 } })
    late.now += 100
    await late.decide(timeOutRun, { actor: 'reconciler' })
    expect(late.record('ask').status).toBe('CANCELLED')
    expect(late.state.run.status).toBe('TIMED_OUT')
  })
})

describe('a step that waits for a person', () => {
  test('is cancelled with its run, and skipped by hand [C11]', async () => {
    const cancelled = await asked()
    await cancelled.decide(cancelRun, operator)
    expect(cancelled.record('ask').status).toBe('CANCELLED')
    expect(cancelled.state.run.status).toBe('CANCELLED')
    const skipped = await asked()
    await skipped.decide((state, context) => skipNode(state, context, nodeId('ask')), operator)
    expect(skipped.state.run.status).toBe('SUCCEEDED')
  })

  test('paused itself takes no decision, and its time stands still until it is resumed', async () => {
    const scene = await asked({ expiresAt: sceneStart + 100 })
    await scene.decide((state, context) => pauseNode(state, context, nodeId('ask')), operator)
    await expect(say(scene, 'approve')).rejects.toMatchObject({ code: 'approval_not_actionable' })
    scene.now += 200
    expect(await wakes(scene)).toBeNull()
    await scene.decide((state, context) => resumeNode(state, context, nodeId('ask')), operator)
    expect(scene.record('ask')).toMatchObject({ notBefore: sceneStart + 100, dispatch: { held: null } })
    await wakes(scene)
    expect(scene.record('ask').ports).toEqual(['rejected'])
  })

  test('of a paused run is decided; what follows it waits for the run', async () => {
    const scene = await asked({ expiresAt: sceneStart + 100 })
    await scene.decide((state, context) => pauseRun(state, context), operator)
    await say(scene, 'approve')
    expect(scene.record('ask')).toMatchObject({ status: 'SUCCESS', dispatch: { held: null } })
    expect(await scene.claim()).toEqual([])
    await scene.decide((state, context) => resumeRun(state, context), operator)
    expect(await scene.claim()).toEqual(['yes'])
  })

  test('is not one whose effect nobody knows', async () => {
    const scene = await asked()
    const { id } = scene.record('ask')
    const again = { id, decision: { kind: 'run-again' } } as const
    expect(
      await scene.decide((state, context) => resolveByPerson(state, context, again), operator),
    ).toBeNull()
  })
})
