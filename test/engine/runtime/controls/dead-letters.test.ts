/** Dead letters over time: their cap, and running again what they tell of. */

import { afterEach, describe, expect, it } from 'vitest'
import { noWrites } from '../../../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { opId } from '../../../../src-engine/model/ids.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf } from '../../model/workflow-fixture.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const one = documentOf({ nodes: { a: { kind: 'noop' } } })

describe.each(Object.entries(sceneStores))('dead letters on %s', (_name, open) => {
  const scene = async (engines: number, settings = {}): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    for (let count = 0; count < engines; count += 1) await here.launch(settings)
    return here
  }
  const letters = (here: EnginesScene) =>
    here.store.list(0, 'deadLetters', {
      filter: { reason: null, workflowId: null, runId: null },
      page: { after: null, limit: 99 },
    })
  const fail = async (here: EnginesScene) => {
    const run = await here.start(one)
    await here.pass(1_000)
    await here.end(new SagasmithError('csv_invalid'))
    await here.pass(1_000)
    return run
  }

  it('are trimmed to their cap, oldest first, also by two who sweep at once [C15]', async () => {
    const here = await scene(2, { deadLetterMax: 3 })
    const runs = []
    for (let count = 0; count < 6; count += 1) runs.push(await fail(here))
    expect(await letters(here)).toHaveLength(6)
    let swept = 0
    for (const engine of here.engines) {
      void engine.pruner.prune().finally(() => {
        swept += 1
      })
    }
    await here.pass(10_000)
    expect(swept).toBe(2)
    expect(new Set((await letters(here)).map(({ runId }) => runId))).toEqual(new Set(runs.slice(3)))
    for (const run of runs) {
      expect(await here.run(run)).toMatchObject({ status: 'FAILED', error: { code: 'csv_invalid' } })
    }
  })

  it('are trimmed to their cap however many they are', async () => {
    const here = await scene(1, { deadLetterMax: 10 })
    const at = here.world.now
    const none = { runId: null, invocationId: null, workflowId: null, nodeId: null }
    const told = { reason: 'run_not_found', message: 'Too late.', lastStatus: 'ACCEPTED', attempts: 1 }
    const deadLetters = Array.from({ length: 450 }, (_, index) => {
      return { id: `letter${index}`, ...none, ...told, at, input: null, body: null }
    })
    const [answer] = await here.store.commit(0, [
      {
        partition: 0,
        opId: opId('letters'),
        actor: { kind: 'operator', id: null },
        at,
        expect: { invocations: [], registers: [{ key: 'letters', version: 0 }] },
        writes: { ...noWrites, registers: [{ key: 'letters', value: true }], deadLetters },
        events: [],
      },
    ])
    expect(answer).toEqual({ kind: 'accepted' })
    let isSwept = false
    void here.engines[0]?.pruner.prune().finally(() => {
      isSwept = true
    })
    await here.pass(10_000)
    expect(isSwept).toBe(true)
    expect((await letters(here)).map(({ id }) => id)).toEqual(
      deadLetters
        .slice(-10)
        .map(({ id }) => id)
        .toReversed(),
    )
  })

  it('run again once by two who want it at once: the second hears that it is dealt with', async () => {
    const here = await scene(2)
    const run = await fail(here)
    const [letter] = await letters(here)
    const answers = here.engines.map((engine, index) =>
      engine.deadLetters
        .replay({ id: letter?.id ?? '', input: { value: { index } }, by: null })
        .then(() => 'replayed')
        .catch((thrown: SagasmithError) => thrown.code),
    )
    await here.pass(1_000)
    expect((await Promise.all(answers)).sort()).toEqual(['dead_letter_not_found', 'replayed'])
    const locks = await here.store.list(0, 'registers', {
      filter: { prefix: 'lock/replay' },
      page: { after: null, limit: 99 },
    })
    expect(locks.map(({ key }) => key)).toEqual([expect.stringMatching(/^lock\/replay:[0-9a-f]{2}$/)])
    const runs = await here.store.list(0, 'runs', {
      filter: { statuses: null, workflowId: null, includeCore: false },
      page: { after: null, limit: 9 },
    })
    expect(runs.filter(({ id }) => id !== run)).toHaveLength(1)
  })

  it('run again as a new run that keeps priority and tags, and are settled by it [G23]', async () => {
    const here = await scene(1)
    const [engine] = here.engines
    if (engine === undefined) throw new Error('one engine was launched')
    const cause = { kind: 'start', by: 'ada', detail: null }
    const again = { origin: null, priority: 'HIGH', tags: ['night'], cause } as const
    const start = { document: one, input: { n: 1 }, requestId: null, baseDirectory: null, again }
    const { runId } = await engine.startRun(start)
    await here.pass(1_000)
    await here.end(new SagasmithError('csv_invalid'))
    await here.pass(1_000)
    const [letter] = await letters(here)
    const replayed = await engine.deadLetters.replay({ id: letter?.id ?? '', input: null, by: 'ada' })
    await here.pass(1_000)
    expect(replayed.runId).not.toBe(runId)
    expect(await here.run(replayed.runId)).toMatchObject({
      priority: 'HIGH',
      tags: ['night'],
      definitionHash: (await here.run(runId)).definitionHash,
    })
    await here.end()
    await here.pass(1_000)
    expect((await here.run(replayed.runId)).status).toBe('SUCCEEDED')
    expect(await letters(here)).toEqual([])
    expect((await here.run(runId)).status).toBe('FAILED')
  })
})
