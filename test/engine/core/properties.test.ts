/** Whatever the workflow and whatever happens, in any order: the rules that every run keeps. */

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { cancelRun, resolveByPerson, wake } from '../../../src-engine/core/requests.ts'
import { isActive } from '../../../src-engine/core/run-state.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import type { RandomSource } from '../../support/random-source.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { randomWorkflow } from '../../support/random-workflow.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded, timedOut } from './run-scene.ts'

/** More facts than any run of this size can need: beyond it something repeats itself. */
const factsMax = 400

async function oneFact(scene: Scene, random: RandomSource, record: InvocationRecord): Promise<void> {
  const { id, nodeId, status } = record
  if (status === 'RUNNING') {
    if (random.chance(0.1)) await scene.lose(nodeId, random.next())
    else if (record.cancelRequestedAt !== null && random.chance(0.7))
      await scene.end(nodeId, { kind: 'cancelled' })
    else if (record.taskKind === 'delay') {
      await scene.end(nodeId, { kind: 'parked', until: scene.now + 10, reason: 'waits', output: json(1) })
    } else if (random.chance(0.2)) await scene.end(nodeId, random.pick([failed(), timedOut()]))
    else {
      const ports = record.taskKind === 'if' ? [random.pick(['true', 'false'])] : null
      await scene.end(nodeId, succeeded(nodeId, ports))
    }
  } else if (status === 'PENDING') {
    if (random.chance(0.2)) await scene.lose(nodeId)
    else await scene.begin(nodeId)
  } else if (status === 'WAITING') {
    scene.now = Math.max(scene.now, record.notBefore ?? 0)
    await scene.decide((state, context) => wake(state, context, id), { actor: 'timer' })
  } else if (status === 'APPROVAL_REQUIRED') {
    const decision = random.pick([{ kind: 'run-again' }, { kind: 'fail' }] as const)
    const request = { id, decision }
    await scene.decide((state, context) => resolveByPerson(state, context, request), {
      actor: 'operator',
      claims: false,
    })
  } else {
    scene.now = Math.max(scene.now, record.notBefore ?? 0)
    scene.capacity = 1 + random.below(4)
    await scene.claim()
  }
}

/** The scene itself checks each decision: commit, rebuild and replay. */
async function playToTheEnd(seed: number): Promise<void> {
  const random = createRandomSource(String(seed))
  const scene = sceneOf(randomWorkflow(random, { nodesMax: 12, mayFail: true }))
  scene.capacity = random.below(4)
  await scene.start()
  let facts = 0
  for (; !runMachine.final.has(scene.state.run.status); facts += 1) {
    assert.ok(facts < factsMax, 'too many facts')
    scene.now += random.below(50)
    scene.capacity = random.below(4)
    const active = [...scene.state.invocations.values()].filter(isActive)
    assert.ok(active.length > 0, 'nothing is under way')
    if (random.chance(0.01)) await scene.decide(cancelRun, { actor: 'operator', claims: false })
    else await oneFact(scene, random, random.pick(active))
  }
  const records = [...scene.state.invocations.values()]
  assert.equal(new Set(records.map((record) => record.nodeId)).size, records.length)
  assert.deepEqual(records.filter(isActive), [])
  const invoked = new Set<string>(records.map((record) => record.nodeId))
  assert.deepEqual(
    scene.skipped().filter((id) => invoked.has(id)),
    [],
  )
}

test('every run ends; records, events and memory tell the same after each decision', async () => {
  await fc.assert(fc.asyncProperty(fc.nat(), playToTheEnd), { numRuns: 250 })
})
