/** The place in a line: who was offered room that somebody new took stands where it stood. */

import { expect, test } from 'vitest'
import { pauseNode, resumeNode } from '../../../../src-engine/core/control/pause.ts'
import { leaveLine, waitForPermit } from '../../../../src-engine/core/permits/wait-for-permit.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import { availableAt } from '../../../../src-engine/store/claim.ts'
import { sceneOf } from '../run-scene.ts'

test('who is offered room and finds none keeps its place, and is claimed as what it was from the start', async () => {
  const concurrency = { running: 'TASK', limit: 1, onFull: 'reroute' }
  const scene = sceneOf({ nodes: { a: { kind: 'noop', concurrency } }, edges: {} })
  scene.capacity = 0
  await scene.start()
  const { id, registeredAt } = scene.record('a')
  const stepAside = () =>
    scene.decide(
      (state, context) => {
        const missing = { id, key: 'node:w/a', holders: ['other'], plan: null, onFull: 'reroute' as const }
        return waitForPermit(state, context, missing)
      },
      { claims: false },
    )
  scene.now += 100
  await stepAside()
  const since = scene.now
  expect(scene.record('a').permits?.blockedSince).toBe(since)
  scene.now += 5_000
  await scene.decide((state, context) => leaveLine(state, context, id), { claims: false })
  expect(scene.record('a').status).toBe('REROUTED')
  expect(availableAt(scene.record('a'))).toBe(registeredAt)
  scene.now += 1_000
  await stepAside()
  expect(scene.record('a')).toMatchObject({
    status: 'CONCURRENCY_CONTROLLED',
    permits: { blockedSince: since },
  })
})

test('who is set aside in line doesn’t give up when it is offered room late, and has its turn once it is resumed', async () => {
  const parameters = { count: 1, amount: 1, unit: 'hours', onTimeout: 'fail', waitTimeout: 60_000 }
  const scene = sceneOf({ nodes: { a: { kind: 'throttle', parameters } }, edges: {} })
  scene.capacity = 0
  await scene.start()
  const { id } = scene.record('a')
  const missing = { id, key: 'starts:w/a', holders: ['other'], plan: null, onFull: 'reroute' as const }
  await scene.decide((state, context) => waitForPermit(state, context, missing), { claims: false })
  expect(scene.record('a').notBefore).toBe(scene.now + 60_000)
  const by = { actor: 'operator', claims: false } as const
  await scene.decide((state, context) => pauseNode(state, context, nodeId('a')), by)
  scene.now += 60_000
  await scene.decide((state, context) => leaveLine(state, context, id), { claims: false })
  expect(scene.record('a')).toMatchObject({ status: 'REROUTED', waitReason: { code: 'paused' } })
  await scene.decide((state, context) => resumeNode(state, context, nodeId('a')), by)
  scene.capacity = 1
  expect(await scene.claim()).toEqual(['a'])
})
