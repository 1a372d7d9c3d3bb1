/** Running concurrency control: how many of the same may be at work at once. */

import { afterEach, describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { ConcurrencyPolicy, RateLimit, WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { sceneStores, simulationStores } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

function oneStep(concurrency: ConcurrencyPolicy | null, rateLimit?: RateLimit): WorkflowDocument {
  return {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('limited'),
    title: 'Limited',
    nodes: {
      work: {
        kind: 'noop',
        ...(concurrency === null ? {} : { concurrency }),
        ...(rateLimit === undefined ? {} : { rateLimit }),
      },
    },
    edges: {},
  } as WorkflowDocument
}

const inTurn: ConcurrencyPolicy = { running: 'TASK', onFull: 'reroute' }

it('an empty line of many partitions is looked at now and then, not with each release; one that stands in it is served', async () => {
  const store = await simulationStores['memory in four partitions']?.()
  if (store === undefined) throw new Error('the simulator has it')
  let looks = 0
  const load: typeof store.load = (partition, what, asked) => {
    if (what === 'permitWaiters') looks += 1
    return store.load(partition, what, asked)
  }
  const here = new EnginesScene({ ...store, load })
  scenes.push(here)
  for (let count = 0; count < 2; count += 1) await here.launch()
  const three: ConcurrencyPolicy = { ...inTurn, limit: 3 }
  const play = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1) {
      await here.start(oneStep(three))
      await here.pass(5)
      await here.end()
    }
  }
  await play(1)
  await here.pass(1_000)
  looks = 0
  await play(8)
  expect(looks).toBeLessThan(3)
  await here.pass(1_000)
  expect(looks).toBeLessThan(5)
  const runs = []
  for (let count = 0; count < 5; count += 1) runs.push(await here.start(oneStep(three), {}, count % 2))
  await here.pass(50)
  expect(here.atWork).toHaveLength(3)
  here.atWork[0]?.end()
  await here.pass(10)
  expect(here.atWork).toHaveLength(3)
  while (here.atWork.length > 0) await here.end()
  for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
})

describe.each(Object.entries(sceneStores))('running control on %s', (_name, open) => {
  const scene = async (engines = 1): Promise<EnginesScene> => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch()
    return made
  }

  it('lets one of a task run at a time, the others in line, oldest first [P18]', async () => {
    const here = await scene()
    const runs = []
    for (let count = 0; count < 4; count += 1) {
      runs.push(await here.start(oneStep(inTurn)))
      await here.pass(10)
    }
    expect(here.atWork).toHaveLength(1)
    for (const run of runs.slice(1)) expect(await here.statuses(run)).toEqual(['CONCURRENCY_CONTROLLED'])
    for (let count = 0; count < 4; count += 1) await here.end()
    expect(here.begun).toEqual(runs)
    expect(here.most).toBe(1)
    for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('holds across engines on one store [P18]', async () => {
    const here = await scene(2)
    const runs = []
    for (let count = 0; count < 6; count += 1) runs.push(await here.start(oneStep(inTurn), {}, count % 2))
    await here.pass(50)
    for (let count = 0; count < 6; count += 1) {
      expect(here.atWork).toHaveLength(1)
      await here.end()
      await here.pass(6_000)
    }
    expect(here.most).toBe(1)
    for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('has a limit of more than one', async () => {
    const here = await scene()
    for (let count = 0; count < 5; count += 1) await here.start(oneStep({ ...inTurn, limit: 3 }))
    await here.pass(10)
    expect(here.atWork).toHaveLength(3)
    for (let count = 0; count < 5; count += 1) await here.end()
    expect(here.most).toBe(3)
  })

  it('ends work without room when it is told to, as a failure [P19]', async () => {
    const here = await scene()
    await here.start(oneStep({ running: 'TASK' }))
    await here.pass(10)
    const second = await here.start(oneStep({ running: 'TASK' }))
    await here.pass(10)
    expect(await here.statuses(second)).toEqual(['CONCURRENCY_CONTROLLED_FINAL'])
    expect(await here.run(second)).toMatchObject({ status: 'FAILED', error: { code: 'concurrency_limit' } })
    await here.end()
  })

  it('waits where the node says nothing and the settings say reroute [P18]', async () => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch({ rerouteOnConcurrencyControl: true })
    await here.start(oneStep({ running: 'TASK' }))
    const second = await here.start(oneStep({ running: 'TASK' }))
    const third = await here.start(oneStep({ running: 'TASK', onFull: 'final' }))
    await here.pass(10)
    expect(await here.statuses(second)).toEqual(['CONCURRENCY_CONTROLLED'])
    expect(await here.statuses(third)).toEqual(['CONCURRENCY_CONTROLLED_FINAL'])
    await here.end()
    await here.end()
    expect((await here.run(second)).status).toBe('SUCCEEDED')
  })

  it('ends work without room as skipped when it is told so', async () => {
    const here = await scene()
    const skips: ConcurrencyPolicy = { running: 'TASK', onFinal: 'skip' }
    await here.start(oneStep(skips))
    await here.pass(10)
    const second = await here.start(oneStep(skips))
    await here.pass(10)
    expect(await here.statuses(second)).toEqual(['CONCURRENCY_CONTROLLED_FINAL'])
    expect((await here.run(second)).status).toBe('SUCCEEDED')
    await here.end()
  })

  it('counts equal arguments together and different ones apart', async () => {
    const here = await scene()
    const byArguments: ConcurrencyPolicy = { running: 'ARGUMENTS', onFull: 'reroute' }
    const first = await here.start(oneStep(byArguments), { a: 1 })
    const other = await here.start(oneStep(byArguments), { a: 2 })
    await here.pass(10)
    const same = await here.start(oneStep(byArguments), { a: 1 })
    await here.pass(10)
    expect(here.begun).toEqual([first, other])
    expect(await here.statuses(same)).toEqual(['CONCURRENCY_CONTROLLED'])
    await here.end()
    await here.pass(10)
    expect(here.begun).toEqual([first, other, same])
    await here.end()
    await here.end()
  })

  it('counts by the named parameters only [P20]', async () => {
    const here = await scene()
    const byKey: ConcurrencyPolicy = { running: 'KEYS', keys: ['a'], onFull: 'reroute' }
    await here.start(oneStep(byKey), { a: 1, b: 1 })
    await here.pass(10)
    const same = await here.start(oneStep(byKey), { a: 1, b: 2 })
    const other = await here.start(oneStep(byKey), { a: 2, b: 1 })
    await here.pass(10)
    expect(await here.statuses(same)).toEqual(['CONCURRENCY_CONTROLLED'])
    expect(await here.statuses(other)).toEqual(['RUNNING'])
    for (let count = 0; count < 3; count += 1) await here.end()
  })

  it('lets work come back out of RETRY into the line [G5] [G16]', async () => {
    const here = await scene()
    const document = oneStep(inTurn)
    const retry = { maxAttempts: 2, delayMs: 1_000, retryOn: ['debug_failure'] }
    const nodes = { work: { kind: 'noop', concurrency: inTurn, retry } }
    const retrying = { ...document, nodes } as WorkflowDocument
    const first = await here.start(retrying)
    const second = await here.start(document)
    await here.pass(10)
    await here.end(new SagasmithError('debug_failure'))
    await here.pass(2_000)
    expect(here.begun).toEqual([first, second])
    expect(await here.statuses(first)).toEqual(['CONCURRENCY_CONTROLLED'])
    await here.end()
    await here.pass(10)
    await here.end()
    expect(await here.history(first)).toContain('CONCURRENCY_CONTROLLED')
    expect((await here.run(first)).status).toBe('SUCCEEDED')
  })

  it('waits after a delay when it is told one', async () => {
    const here = await scene()
    const delayed: ConcurrencyPolicy = { ...inTurn, delayMs: 500 }
    await here.start(oneStep(delayed))
    const second = await here.start(oneStep(delayed))
    await here.pass(10)
    await here.end()
    expect(await here.statuses(second)).toEqual(['REROUTED'])
    await here.pass(600)
    expect(await here.statuses(second)).toEqual(['RUNNING'])
    await here.end()
  })

  it('starts no more within a window than the rate allows', async () => {
    const here = await scene()
    for (let count = 0; count < 5; count += 1) {
      await here.start(oneStep(null, { count: 2, perMs: 10_000 }))
    }
    await here.pass(100)
    expect(here.begun).toHaveLength(2)
    await here.end()
    await here.end()
    await here.pass(5_000)
    expect(here.begun).toHaveLength(2)
    await here.pass(6_000)
    expect(here.begun).toHaveLength(4)
    await here.pass(11_000)
    expect(here.begun).toHaveLength(5)
    for (let count = 0; count < 3; count += 1) await here.end()
  })

  it('gives a permit back when its holder is cancelled, and takes the waiting out of line', async () => {
    const here = await scene()
    const first = await here.start(oneStep(inTurn))
    const second = await here.start(oneStep(inTurn))
    const third = await here.start(oneStep(inTurn))
    await here.pass(10)
    await here.engines[0]?.cancelRun(second)
    await here.engines[0]?.cancelRun(first)
    await here.pass(10)
    expect((await here.run(second)).status).toBe('CANCELLED')
    expect((await here.run(first)).status).toBe('CANCELLED')
    expect(await here.statuses(third)).toEqual(['RUNNING'])
    await here.end()
  })

  it('gives the permit of a dead runner to the next in line', async () => {
    const here = await scene(2)
    await here.start(oneStep(inTurn))
    await here.pass(10)
    const owner = here.atWork[0]?.engine ?? 0
    const second = await here.start(oneStep(inTurn), {}, 1 - owner)
    await here.pass(10)
    here.processes[owner]?.die()
    here.atWork.splice(0)
    await here.pass(120_000)
    for (; here.atWork.length > 0; ) {
      await here.end()
      await here.pass(6_000)
    }
    expect(here.begun).toContain(second)
    expect(here.most).toBe(1)
  })
})
