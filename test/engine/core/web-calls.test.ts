/** Calls to a step from the web: early or in time, again, too many, and to one that is over. */

import { describe, expect, test } from 'vitest'
import { pauseNode, resumeNode } from '../../../src-engine/core/control/pause.ts'
import type { Decision } from '../../../src-engine/core/draft.ts'
import type { AttemptEnd } from '../../../src-engine/core/finish-attempt.ts'
import { cancelRun } from '../../../src-engine/core/requests.ts'
import type { CalledStep } from '../../../src-engine/core/web-calls.ts'
import { callStanding, takeCall } from '../../../src-engine/core/web-calls.ts'
import { invocationId, nodeId } from '../../../src-engine/model/ids.ts'
import { edgesOf } from '../model/workflow-fixture.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf } from './run-scene.ts'

const wanted = 2
const step: CalledStep = { id: invocationId('run-1/hook'), nodeId: nodeId('hook'), path: '', wanted }

const waits: AttemptEnd = {
  kind: 'awaits',
  wait: { kind: 'signal', name: '(web call)', correlation: null, onTimeout: 'fail', calls: wanted },
  until: null,
  output: json(null),
}

async function started(): Promise<Scene> {
  const nodes = { hook: { kind: 'wait-webhook' }, after: { kind: 'noop' } }
  const scene = sceneOf({ nodes, edges: edgesOf('hook>after') })
  await scene.start()
  return scene
}

const standing = (scene: Scene, message: string) => callStanding(scene.state, step, message).kind

/** Its payload is the list of all that came, as whoever keeps them makes it. */
async function call(scene: Scene, message: string): Promise<string> {
  const kept = scene.state.run.signals.find((signal) => signal.for === step.id) ?? null
  let told: Decision | string = 'nothing'
  await scene.decide(
    (state, context) => {
      const payload = json([...(kept?.messages ?? []), message])
      told = takeCall(state, context, { step, message, kept, payload })
      return typeof told === 'string' ? null : told
    },
    { actor: 'operator' },
  )
  return typeof told === 'string' ? told : 'taken'
}

describe('calls to a step', () => {
  test('are kept until there are as many as it waits for, and go on with the last', async () => {
    const scene = await started()
    await scene.end('hook', waits)
    expect(await call(scene, 'one')).toBe('taken')
    expect(scene.state.run.signals).toMatchObject([{ for: step.id, messages: ['one'] }])
    expect(await call(scene, 'one')).toBe('known')
    expect(await call(scene, 'two')).toBe('taken')
    expect(scene.record('hook')).toMatchObject({ status: 'SUCCESS', output: json(['one', 'two']) })
    expect(scene.state.run.signals).toEqual([])
    expect([standing(scene, 'two'), standing(scene, 'three')]).toEqual(['known', 'gone'])
  })

  test('that come before it waits are as many as it will want, and no more', async () => {
    const scene = await started()
    await call(scene, 'one')
    await call(scene, 'two')
    expect(scene.record('hook').status).toBe('RUNNING')
    expect(await call(scene, 'three')).toBe('gone')
    await scene.end('hook', waits)
    expect(scene.record('hook')).toMatchObject({ status: 'SUCCESS', output: json(['one', 'two']) })
  })

  test('are not what they should be where another came between', async () => {
    const scene = await started()
    await scene.end('hook', waits)
    await call(scene, 'one')
    const late = { step, message: 'late', kept: null, payload: json(['late']) }
    let told: unknown = null
    await scene.decide((state, context) => {
      told = takeCall(state, context, late)
      return null
    })
    expect(told).toBe('changed')
  })

  test('lie there while somebody has paused it, and it goes on with them then', async () => {
    const scene = await started()
    await scene.end('hook', waits)
    const by = { actor: 'operator', claims: false } as const
    await scene.decide((state, context) => pauseNode(state, context, nodeId('hook')), by)
    await call(scene, 'one')
    await call(scene, 'two')
    expect(scene.record('hook').status).toBe('WAITING')
    await scene.decide((state, context) => resumeNode(state, context, nodeId('hook')), by)
    expect(scene.record('hook')).toMatchObject({ status: 'SUCCESS', output: json(['one', 'two']) })
  })

  test('come to nobody once it has ended, its run has, or that is being undone', async () => {
    const failing = await started()
    await failing.end('hook', failed('csv_invalid', false))
    expect(standing(failing, 'one')).toBe('gone')
    const cancelled = await started()
    await cancelled.decide(cancelRun, { actor: 'operator' })
    expect(standing(cancelled, 'one')).toBe('open')
    await cancelled.end('hook', { kind: 'cancelled' })
    expect(standing(cancelled, 'one')).toBe('gone')
    const scene = await started()
    const undone = { ...scene.state, run: { ...scene.state.run, status: 'COMPENSATING' as const } }
    expect(callStanding(undone, step, 'one').kind).toBe('gone')
  })

  test('to a step of before its run was had to go on come to nobody: that one has another address', async () => {
    const scene = await started()
    const run = { ...scene.state.run, generation: 1 }
    const anew = { ...scene.state, run, invocations: new Map() }
    expect(callStanding(anew, step, 'one').kind).toBe('gone')
  })
})
