/** Whatever the workflow and whatever happens, in any order: the rules that every run keeps. */

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { retryRun } from '../../../src-engine/core/control/retry-run.ts'
import { cancelRun, resolveByPerson, wake } from '../../../src-engine/core/requests.ts'
import { isActive, isCurrent } from '../../../src-engine/core/run-state.ts'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import type { RandomSource } from '../../support/random-source.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { randomWorkflow } from '../../support/random-workflow.ts'
import type { Scene } from './run-scene.ts'
import { failed, json, sceneOf, succeeded, timedOut } from './run-scene.ts'

/** More facts than any run of this size can need: beyond it something repeats itself. */
const factsMax = 400

/** What may succeed as it is: a step with ports says which one. */
const runningSteps = (scene: Scene): readonly string[] =>
  [...scene.state.invocations.values()]
    .filter(({ status, taskKind }) => status === 'RUNNING' && taskKind !== 'if' && taskKind !== 'delay')
    .map(({ nodeId, path }) => (path === '' ? nodeId : `${nodeId}@${path}`))

async function oneFact(scene: Scene, random: RandomSource, record: InvocationRecord): Promise<void> {
  const { id, nodeId, status } = record
  if (status === 'RUNNING') {
    if (random.chance(0.1)) await scene.lose(nodeId, random.next())
    else if (record.cancelRequestedAt !== null && random.chance(0.7))
      await scene.end(nodeId, { kind: 'cancelled' })
    else if (record.taskKind === 'delay') {
      await scene.end(nodeId, { kind: 'parked', until: scene.now + 10, reason: 'waits', output: json(1) })
    } else if (random.chance(0.2)) await scene.end(nodeId, random.pick([failed(), timedOut()]))
    else if (random.chance(0.3)) await scene.endTogether(runningSteps(scene))
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
async function playToTheEnd(scene: Scene, random: RandomSource): Promise<void> {
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
  assert.equal(new Set(records.map((record) => record.id)).size, records.length)
  assert.deepEqual(records.filter(isActive), [])
  const invoked = new Set<string>(
    records.filter((record) => isCurrent(scene.state, record)).map((record) => record.nodeId),
  )
  assert.deepEqual(
    scene.skipped().filter((id) => invoked.has(id)),
    [],
  )
}

async function playOnce(seed: number): Promise<void> {
  const { scene } = await playedOnce(seed)
  assert.ok(runMachine.final.has(scene.state.run.status))
}

async function playedOnce(seed: number): Promise<{ readonly scene: Scene; readonly random: RandomSource }> {
  const random = createRandomSource(String(seed))
  const scene = sceneOf(randomWorkflow(random, { nodesMax: 12, mayFail: true }))
  scene.capacity = random.below(4)
  await scene.start()
  await playToTheEnd(scene, random)
  return { scene, random }
}

test('every run ends; records, events and memory tell the same after each decision', async () => {
  await fc.assert(fc.asyncProperty(fc.nat(), playOnce), { numRuns: 250 })
})

/** From what failed, or from any step that has a record; the run it goes on with ends again. */
async function goOn(seed: number): Promise<void> {
  const { scene, random } = await playedOnce(seed)
  for (let times = 0; times < 3 && scene.state.run.status !== 'SUCCEEDED'; times += 1) {
    const current = [...scene.state.invocations.values()].filter((record) => isCurrent(scene.state, record))
    const named = random.chance(0.5) && current.length > 0 ? random.pick(current).nodeId : null
    const kept = new Map(current.map((record) => [record.nodeId, record.id]))
    const { generation } = scene.state.run
    const asked = scene.decide(
      (state, context) =>
        retryRun(
          state,
          { ...context, cause: { kind: 'retry', by: 'me', detail: null } },
          {
            nodeId: named,
            input: null,
            workflow: state.workflow,
            hash: state.run.definitionHash,
            publish: null,
            meanings: null,
            letters: [],
          },
        ),
      { actor: 'operator', claims: false },
    )
    const refusal = await asked.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (refusal !== null) {
      // A join that too few branches lead to fails again at once; a cancel may come after all was done.
      assert.ok(refusal instanceof SagasmithError)
      assert.match(refusal.message, /would end at once|No step of the run failed/)
      return
    }
    assert.equal(scene.state.run.generation, generation + 1)
    for (const [id, of] of scene.state.kept ?? []) {
      assert.equal(scene.record(id).id, kept.get(id), `${id} is kept with the result it had`)
      assert.ok(of <= generation)
    }
    assert.ok(named === null || scene.state.kept?.has(named) === false)
    await playToTheEnd(scene, random)
  }
}

test('a run that did not succeed goes on, and the rules hold in each generation', async () => {
  await fc.assert(fc.asyncProperty(fc.nat(), goOn), { numRuns: 150 })
})
