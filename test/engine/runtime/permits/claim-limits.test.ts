/** How many steps of a tenant, or in a pool, are at work at once: counted when they are claimed. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (nodes: Readonly<Record<string, WorkflowNode>>): WorkflowDocument => ({
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId('plain'),
  title: 'Plain',
  nodes,
  edges: {},
})

const two = documentOf({ a: { kind: 'noop' }, b: { kind: 'noop' } })

/** Registers are read later than everything else that was asked for in the same moment. */
function slowToRead(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) => {
      if (name !== 'load') return Reflect.get(target, name) as unknown
      return async (...given: Parameters<Store['load']>) => {
        for (let turn = 0; given[1] === 'register' && turn < 100; turn += 1) await Promise.resolve()
        return target.load(...given)
      }
    },
  })
}

describe.each(Object.entries(sceneStores))('limits of claims on %s', (_name, open) => {
  const scene = async (engines: number, settings: Parameters<EnginesScene['launch']>[0] = {}) => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch(settings)
    return made
  }
  const endAll = async (here: EnginesScene) => {
    for (; here.atWork.length > 0; ) {
      await here.end()
      await here.pass(6_000)
    }
  }
  const tenantsAtWork = async (here: EnginesScene) =>
    Promise.all(here.atWork.map(async ({ runId }) => (await here.run(runId as RunId)).tenant))

  it('has no more steps of a tenant at work than the settings say, over all its runs', async () => {
    const here = await scene(2, { tenantConcurrentJobsMax: 3 })
    for (let count = 0; count < 4; count += 1) await here.start(two, {}, { engine: count % 2, tenant: 'a' })
    await here.start(two, {}, { engine: 0, tenant: 'b' })
    await here.pass(6_000)
    expect((await tenantsAtWork(here)).sort()).toEqual(['a', 'a', 'a', 'b', 'b'])
    await endAll(here)
    expect(here.begun).toHaveLength(10)
    const left = await here.store.list(0, 'permits', {
      filter: { prefix: '' },
      page: { after: null, limit: 9 },
    })
    expect(left).toEqual([])
  })

  it('says that the tenant’s limit holds a step up, who has it, and where it stands', async () => {
    const here = await scene(1, { tenantConcurrentJobsMax: 1 })
    const first = await here.start(two, {}, { engine: 0, tenant: 'a' })
    await here.pass(10)
    const [waiting] = await whyWaiting(here.store, { runId: first, nodeId: null, now: here.world.now })
    const [holder] = here.atWork
    expect(waiting).toMatchObject({
      code: 'tenant_limit',
      status: 'CONCURRENCY_CONTROLLED',
      permit: { key: 'tenant:a', limit: 1, holders: [`${first}/${holder?.nodeId}`], position: 1, waiting: 1 },
    })
    await endAll(here)
    expect((await here.run(first)).status).toBe('SUCCEEDED')
  })

  it('follows a limit that is set, raised and taken away while work waits', async () => {
    const here = await scene(1)
    await here.engines[0]?.tenants.change({ name: 'local', jobs: 1 })
    for (let count = 0; count < 3; count += 1) await here.start(two)
    await here.pass(10)
    expect(here.atWork).toHaveLength(1)
    const view = await here.engines[0]?.tenants.change({ name: 'local', jobs: 3 })
    expect(view).toEqual({
      name: 'local',
      runs: { limit: null, isOwn: false, taken: 0, waiting: 0 },
      jobs: { limit: 3, isOwn: true, taken: 1, waiting: 5 },
    })
    await here.pass(6_000)
    expect(here.atWork).toHaveLength(3)
    await here.engines[0]?.tenants.change({ name: 'local', jobs: 'settings' })
    expect(await here.engines[0]?.tenants.list()).toMatchObject([{ name: 'local', jobs: { limit: null } }])
    await here.pass(6_000)
    expect(here.atWork).toHaveLength(6)
    await endAll(here)
    expect(here.begun).toHaveLength(6)
  })

  it('knows the limits of tenants before it takes its first work', async () => {
    const here = new EnginesScene(slowToRead(await open()))
    scenes.push(here)
    await here.launch({ pools: ['elsewhere'] })
    await here.engines[0]?.tenants.change({ name: 'local', jobs: 1 })
    await here.start(two)
    await here.launch()
    await here.pass(10)
    expect(here.atWork).toHaveLength(1)
    await endAll(here)
    expect(here.begun).toHaveLength(2)
  })

  it('has no more steps of a pool at work than its limit says, on all runners together', async () => {
    const here = await scene(2, { pools: ['default', 'gpu'] })
    await here.engines[0]?.pools.change({ name: 'gpu', limit: 2 })
    await here.pass(6_000)
    const heavy = documentOf({ a: { kind: 'noop', pool: 'gpu' }, b: { kind: 'noop', pool: 'gpu' } })
    const runs: RunId[] = []
    for (let count = 0; count < 3; count += 1) runs.push(await here.start(heavy, {}, count % 2))
    const light = await here.start(two, {}, 1)
    await here.pass(6_000)
    const atWork = here.atWork.map(({ runId }) => runId)
    expect(atWork.filter((run) => run === light)).toHaveLength(2)
    expect(atWork).toHaveLength(4)
    const last = runs.at(-1) as RunId
    const [waiting] = await whyWaiting(here.store, { runId: last, nodeId: null, now: here.world.now })
    expect(waiting).toMatchObject({
      code: 'pool_limit',
      permit: { key: 'pool:gpu', limit: 2, waiting: 4 },
      help: expect.stringContaining('pool'),
    })
    expect(waiting?.permit?.holders).toHaveLength(2)
    await here.engines[1]?.pools.change({ name: 'gpu', limit: null })
    await here.pass(6_000)
    expect(here.atWork).toHaveLength(8)
    await endAll(here)
    for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('gives the permits of a dead runner to others', async () => {
    const here = await scene(2, { tenantConcurrentJobsMax: 1 })
    const run = await here.start(documentOf({ a: { kind: 'noop' } }))
    await here.pass(10)
    const owner = here.atWork[0]?.engine ?? 0
    const second = await here.start(documentOf({ a: { kind: 'noop' } }), {}, 1 - owner)
    here.processes[owner]?.die()
    here.atWork.splice(0)
    await here.pass(60_000)
    expect(here.atWork).toHaveLength(1)
    await endAll(here)
    for (const id of [run, second]) expect((await here.run(id)).status).toBe('SUCCEEDED')
    expect(here.most).toBe(1)
  })
})
