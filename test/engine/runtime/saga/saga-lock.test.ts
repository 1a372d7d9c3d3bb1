/** Of several who answer a rollback at once one is heard, also where its process dies; on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { minute, second } from '../../../../src-engine/model/time.ts'
import type { SagaAction } from '../../../../src-engine/protocol/saga.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const compensation = { task: { kind: 'noop', parameters: {} }, retry: { maxAttempts: 1 } }
const failing = documentOf({
  nodes: { a: { kind: 'noop', compensation }, b: { kind: 'noop' } },
  edges: edgesOf('a>b'),
})

describe.each(Object.entries(sceneStores))('the lock of a rollback on %s', (_name, open) => {
  const scene = async (settings: Parameters<EnginesScene['launch']>[0] = {}) => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    for (let count = 0; count < 2; count += 1) await here.launch(settings)
    const run = await here.start(failing)
    for (const error of [undefined, new Error('b failed'), new Error('no refund')]) {
      await here.pass(6 * second)
      await here.end(error)
    }
    expect((await here.run(run)).status).toBe('COMPENSATION_FAILED')
    /** What became of an answer; null while nobody has heard of it. */
    const answer = (engine: number, action: SagaAction) => {
      const heard: { outcome: unknown } = { outcome: null }
      const request = { runId: run, action, of: null, by: `person ${engine}`, reason: null }
      here.engines[engine]?.saga.act(request).then(
        ({ status }) => (heard.outcome = status),
        ({ code }: { readonly code: string }) => (heard.outcome = code),
      )
      return heard
    }
    const undos = async (id: RunId) => (await here.records(id)).filter(({ role }) => role === 'compensation')
    return { here, run, answer, undos }
  }

  it('two answers at once: one is taken, the other hears where the run is by then', async () => {
    const { here, run, answer, undos } = await scene()
    const answers = [answer(0, 'retry'), answer(1, 'retry')]
    await here.pass(10 * second)
    const outcomes = new Set(answers.map(({ outcome }) => outcome))
    expect(outcomes).toEqual(new Set(['COMPENSATING', 'rollback_not_possible']))
    expect(await undos(run)).toHaveLength(2)
  })

  it('saga_lock_ttl: who dies with an answer keeps others from answering for two minutes', async () => {
    const { here, run, answer } = await scene()
    here.dieAfter(0, ({ writes }) => writes.registers.some(({ key }) => key.startsWith('lock/saga:')))
    const lost = answer(0, 'abandon')
    await here.pass(second)
    expect(here.processes[0]?.alive).toBe(false)
    const next = answer(1, 'skip')
    await here.pass(2 * minute - 2 * second)
    expect([lost.outcome, next.outcome]).toEqual([null, null])
    expect((await here.run(run)).status).toBe('COMPENSATION_FAILED')
    await here.pass(5 * second)
    expect([lost.outcome, next.outcome]).toEqual([null, 'COMPENSATED'])
  })

  it('saga_lock_ttl: or for as long as it says', async () => {
    const { here, answer } = await scene({ sagaLockTtlMs: 20 * second })
    here.dieAfter(0, ({ writes }) => writes.registers.some(({ key }) => key.startsWith('lock/saga:')))
    answer(0, 'abandon')
    await here.pass(second)
    const next = answer(1, 'skip')
    await here.pass(25 * second)
    expect(next.outcome).toBe('COMPENSATED')
  })
})
