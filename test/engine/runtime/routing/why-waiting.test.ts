/** “Why is it waiting?”, answered from what is stored. */

import { afterEach, describe, expect, it } from 'vitest'
import { nodeId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (node: WorkflowNode): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('asked'),
    title: 'Asked',
    nodes: { work: node },
    edges: {},
  }) as WorkflowDocument

describe.each(Object.entries(sceneStores))('why a step waits, on %s', (_name, open) => {
  const scene = async (): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch({ maxConcurrentTasks: 4 })
    return here
  }
  const ask = (here: EnginesScene, runId: Awaited<ReturnType<EnginesScene['start']>>) =>
    whyWaiting(here.store, { runId, nodeId: null, now: here.world.now })

  it('names limit, holders and the place in line', async () => {
    const here = await scene()
    const limited = documentOf({ kind: 'noop', concurrency: { running: 'TASK', onFull: 'reroute' } })
    const first = await here.start(limited)
    await here.pass(10)
    const second = await here.start(limited)
    await here.pass(10)
    const third = await here.start(limited)
    await here.pass(10)
    const holders = (await here.records(first)).map((record) => record.id)
    const permit = { key: 'node:asked/work', limit: 1, holders, waiting: 2 }
    expect(await ask(here, first)).toEqual([])
    expect(await ask(here, second)).toMatchObject([
      { code: 'concurrency_limit', nodeId: 'work', permit: { ...permit, position: 1 } },
    ])
    expect(await ask(here, third)).toMatchObject([{ permit: { ...permit, position: 2 } }])
    expect((await ask(here, third))[0]?.help).toContain('cancel a holder')
    for (let count = 0; count < 3; count += 1) await here.end()
  })

  it('names limit, holders and the place in line of a run that hasn’t begun', async () => {
    const here = await scene()
    const limited = { ...documentOf({ kind: 'noop' }), settings: { concurrency: { limit: 1 } } }
    const first = await here.start(limited)
    await here.start(limited)
    await here.pass(10)
    const third = await here.start(limited)
    const permit = { key: 'workflow:asked', limit: 1, holders: [first], position: 2, waiting: 2 }
    expect(await ask(here, third)).toMatchObject([
      { code: 'workflow_limit', status: 'CREATED', nodeId: null, invocationId: null, permit },
    ])
    const asked = { runId: third, nodeId: null, by: null, reason: null, wait: false }
    await here.engines[0]?.controlRun({ ...asked, action: 'pause' })
    expect(await ask(here, third)).toMatchObject([{ code: 'paused', permit }])
    await here.engines[0]?.cancelRun(third)
    expect(await ask(here, third)).toEqual([])
    for (let count = 0; count < 2; count += 1) await here.end()
  })

  it('names the limit of a tenant as it is now, not as it was when somebody stood in line', async () => {
    const here = await scene()
    const [engine] = here.engines
    if (engine === undefined) throw new Error('an engine was launched')
    const at = { engine: 0, tenant: 'attic' }
    await engine.tenants.change({ name: 'attic', jobs: 2, runs: 3 })
    const runs = []
    for (let count = 0; count < 4; count += 1) {
      runs.push(await here.start(documentOf({ kind: 'noop' }), {}, at))
      await here.pass(10)
    }
    const [, , blocked, inLine] = runs
    if (blocked === undefined || inLine === undefined) throw new Error('four were started')
    expect(await ask(here, blocked)).toMatchObject([{ code: 'tenant_limit', permit: { limit: 2 } }])
    await engine.tenants.change({ name: 'attic', jobs: 1, runs: 2 })
    expect(await ask(here, blocked)).toMatchObject([
      { code: 'tenant_limit', message: expect.stringMatching(/^2 of 1 permits/), permit: { limit: 1 } },
    ])
    expect(await ask(here, inLine)).toMatchObject([
      { code: 'tenant_limit', message: expect.stringMatching(/^3 of 2 permits/), permit: { limit: 2 } },
    ])
    await engine.tenants.change({ name: 'attic', jobs: 'settings', runs: 'settings' })
    const otherTenants = { jobs: 2, runs: 1 }
    const asked = { runId: blocked, nodeId: null, now: here.world.now, otherTenants }
    expect(await whyWaiting(here.store, asked)).toMatchObject([{ permit: { limit: 2 } }])
    for (let turn = 0; turn < 9 && here.atWork.length > 0; turn += 1) {
      await here.end()
      await here.pass(10_000)
    }
    expect((await here.run(inLine)).status).toBe('SUCCEEDED')
  })

  it('says when the next start is allowed by the rate', async () => {
    const here = await scene()
    const rated = { ...documentOf({ kind: 'noop' }), settings: { rateLimit: { count: 1, perMs: 60_000 } } }
    await here.start(rated)
    const begun = here.world.now
    const second = await here.start(rated)
    const [answer] = await ask(here, second)
    expect(answer).toMatchObject({ code: 'rate_limit', until: begun + 60_000, permit: { position: 1 } })
    await here.end()
  })

  it('names the invocation whose result a step waits for [P15]', async () => {
    const here = await scene()
    for (let count = 0; count < 4; count += 1) await here.start(documentOf({ kind: 'noop' }))
    const reusing = documentOf({ kind: 'noop', concurrency: { registration: 'TASK' } })
    const first = await here.start(reusing)
    await here.pass(10)
    const second = await here.start(reusing)
    await here.pass(10)
    const holders = [`${first}/work`]
    expect(await ask(here, second)).toMatchObject([
      {
        code: 'reuse',
        status: 'WAITING',
        permit: { key: 'reg:asked/work', holders, position: 1, waiting: 1 },
      },
    ])
    for (let count = 0; count < 5; count += 1) await here.end()
  })

  it('says that no runner works for its pool', async () => {
    const here = await scene()
    const run = await here.start(documentOf({ kind: 'noop', pool: 'gpu' }))
    await here.pass(10)
    expect(await ask(here, run)).toMatchObject([
      { code: 'no_workers', status: 'REGISTERED', message: 'No runner works for the pool “gpu”.' },
    ])
  })

  it('says that all slots are taken', async () => {
    const here = await scene()
    for (let count = 0; count < 4; count += 1) await here.start(documentOf({ kind: 'noop' }))
    const run = await here.start(documentOf({ kind: 'noop' }))
    await here.pass(10)
    expect(await ask(here, run)).toMatchObject([{ code: 'no_slot', permit: null }])
    expect(
      await whyWaiting(here.store, { runId: run, nodeId: nodeId('other'), now: here.world.now }),
    ).toEqual([])
    for (let count = 0; count < 5; count += 1) await here.end()
  })
})
