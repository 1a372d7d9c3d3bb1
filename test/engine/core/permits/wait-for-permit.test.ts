/** The place in a line: who was offered room that somebody new took stands where it stood. */

import { expect, test } from 'vitest'
import { leaveLine, waitForPermit } from '../../../../src-engine/core/permits/wait-for-permit.ts'
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
