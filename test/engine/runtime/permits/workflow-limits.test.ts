/** How many runs of a workflow, or of a tenant, are under way at once, and what becomes of one too many. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../../src-engine/model/checkpoint.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { runId as asRunId, workflowId } from '../../../../src-engine/model/ids.ts'
import { partitionOf } from '../../../../src-engine/model/partition.ts'
import type { RunStatus } from '../../../../src-engine/model/run-status.ts'
import type { WorkflowDocument, WorkflowSettings } from '../../../../src-engine/model/workflow.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { partitionedOf, rawBehind, sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const limited = (settings: WorkflowSettings, id = 'limited'): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: id,
    settings,
    nodes: { work: { kind: 'noop' } },
    edges: {},
  }) as WorkflowDocument

const oneAtATime: WorkflowSettings = { concurrency: { limit: 1 } }

describe.each(Object.entries(sceneStores))('limits of runs on %s', (_name, open) => {
  const scene = async (engines = 1, settings: Parameters<EnginesScene['launch']>[0] = {}) => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch(settings)
    return made
  }
  const startSome = async (here: EnginesScene, document: WorkflowDocument, count: number) => {
    const runs: RunId[] = []
    for (let index = 0; index < count; index += 1) {
      runs.push(await here.start(document, { index }, index % here.engines.length))
      await here.pass(10)
    }
    return runs
  }
  const statuses = async (here: EnginesScene, runs: readonly RunId[]): Promise<readonly RunStatus[]> =>
    Promise.all(runs.map(async (run) => (await here.run(run)).status))

  it('queues runs beyond the limit, and lets them begin in order', async () => {
    const here = await scene()
    const runs = await startSome(here, limited(oneAtATime), 4)
    expect(await statuses(here, runs)).toEqual(['RUNNING', 'CREATED', 'CREATED', 'CREATED'])
    expect(await here.run(runs[1] as RunId)).toMatchObject({
      startedAt: null,
      waitReason: { code: 'workflow_limit', message: expect.stringContaining(runs[0] as RunId) },
    })
    expect(await here.records(runs[1] as RunId)).toEqual([])
    for (let count = 0; count < 4; count += 1) await here.end()
    expect(here.begun).toEqual(runs)
    expect(here.most).toBe(1)
    expect(new Set(await statuses(here, runs))).toEqual(new Set(['SUCCEEDED']))
    expect(await here.run(runs[1] as RunId)).toMatchObject({ waitReason: null })
    const left = await here.store.list(0, 'permits', {
      filter: { prefix: '' },
      page: { after: null, limit: 9 },
    })
    expect(left).toEqual([])
  })

  it('ends a run that stood in line when its time is over, without waiting for a look at an interval', async () => {
    const here = await scene(1, { pollIntervalMs: 3_600_000 })
    await here.start(limited({ ...oneAtATime, timeoutMs: 7_200_000 }))
    const second = await here.start(limited({ ...oneAtATime, timeoutMs: 60_000 }))
    await here.end()
    await here.pass(59_000)
    expect((await here.run(second)).status).toBe('RUNNING')
    await here.pass(2_000)
    expect((await here.run(second)).status).toBe('TIMED_OUT')
  })

  it('holds the limit over engines, and lets the more urgent begin first', async () => {
    const here = await scene(2)
    const limit: WorkflowSettings = { concurrency: { limit: 2 } }
    const runs = await startSome(here, limited(limit), 5)
    const urgent = await here.start(limited({ ...limit, priority: 'CRITICAL' }), {}, 1)
    await here.pass(10)
    expect((await here.run(urgent)).status).toBe('CREATED')
    for (let count = 0; count < 6; count += 1) {
      expect(here.atWork.length).toBeLessThanOrEqual(2)
      await here.end()
      await here.pass(6_000)
    }
    expect(here.most).toBe(2)
    expect(here.begun).toHaveLength(6)
    expect(here.begun.indexOf(urgent)).toBe(2)
    expect(new Set(await statuses(here, runs))).toEqual(new Set(['SUCCEEDED']))
  })

  it('counts by the value of the key', async () => {
    const here = await scene()
    const document = limited({ concurrency: { limit: 1, key: 'input.customer' } })
    const first = await here.start(document, { customer: 'a' })
    const other = await here.start(document, { customer: 'b' })
    const same = await here.start(document, { customer: 'a' })
    await here.pass(10)
    expect(await statuses(here, [first, other, same])).toEqual(['RUNNING', 'RUNNING', 'CREATED'])
    for (let count = 0; count < 3; count += 1) await here.end()
    expect((await here.run(same)).status).toBe('SUCCEEDED')
  })

  it('skips a run too many, and says why', async () => {
    const here = await scene()
    const runs = await startSome(here, limited({ concurrency: { limit: 1, onFull: 'skip' } }), 2)
    expect(await here.run(runs[1] as RunId)).toMatchObject({
      status: 'CANCELLED',
      error: { code: 'concurrency_limit', details: { holders: [runs[0]] } },
    })
    await here.end()
    expect(here.begun).toEqual([runs[0]])
  })

  it('fails a run too many, and says why [S46]', async () => {
    const here = await scene()
    const runs = await startSome(here, limited({ concurrency: { limit: 1, onFull: 'fail' } }), 2)
    expect(await here.run(runs[1] as RunId)).toMatchObject({
      status: 'FAILED',
      error: { code: 'concurrency_limit', details: { holders: [runs[0]] } },
    })
    await here.end()
  })

  it('fails a run too many also where a failure lets other branches finish', async () => {
    const here = await scene()
    const settings: WorkflowSettings = { onFailure: 'finish', concurrency: { limit: 1, onFull: 'fail' } }
    const runs = await startSome(here, limited(settings), 2)
    expect(await statuses(here, runs)).toEqual(['RUNNING', 'FAILED'])
    await here.end()
  })

  it('has the newest run replace those before it [S46]', async () => {
    const here = await scene()
    const runs = await startSome(here, limited({ concurrency: { limit: 1, onFull: 'replace' } }), 3)
    expect(await statuses(here, runs)).toEqual(['CANCELLED', 'CANCELLED', 'RUNNING'])
    await here.end()
    expect((await here.run(runs[2] as RunId)).status).toBe('SUCCEEDED')
    expect(here.most).toBe(1)
  })

  it('cancels, pauses and resumes a run that stands in line', async () => {
    const here = await scene()
    const [first, second, third, fourth] = (await startSome(here, limited(oneAtATime), 4)) as [
      RunId,
      RunId,
      RunId,
      RunId,
    ]
    const [engine] = here.engines
    await engine?.cancelRun(third)
    expect((await here.run(third)).status).toBe('CANCELLED')
    const asked = { runId: second, nodeId: null, by: null, reason: null, wait: false }
    const paused = await engine?.controlRun({ ...asked, action: 'pause' })
    expect(paused).toMatchObject({ status: 'CREATED', inEffectAt: expect.any(Number) })
    await here.end()
    await here.pass(2_000)
    expect(await statuses(here, [first, second, fourth])).toEqual(['SUCCEEDED', 'CREATED', 'RUNNING'])
    await engine?.controlRun({ ...asked, action: 'resume' })
    await here.end()
    await here.pass(10)
    expect((await here.run(second)).status).toBe('RUNNING')
    await here.end()
    expect((await here.run(second)).status).toBe('SUCCEEDED')
  })

  it('begins no more runs in a while than the rate allows', async () => {
    const here = await scene()
    const runs = await startSome(here, limited({ rateLimit: { count: 2, perMs: 10_000 } }), 5)
    expect(here.begun).toHaveLength(2)
    expect((await here.run(runs[2] as RunId)).waitReason?.code).toBe('rate_limit')
    await here.pass(11_000)
    expect(here.begun).toHaveLength(4)
    await here.pass(11_000)
    expect(here.begun).toEqual(runs)
    for (let count = 0; count < 5; count += 1) await here.end()
  })

  it('counts the time of a run from its start, not from its place in line', async () => {
    const here = await scene()
    const document = limited({ ...oneAtATime, timeoutMs: 60_000 })
    const [, second] = (await startSome(here, document, 2)) as [RunId, RunId]
    await here.pass(50_000)
    expect((await here.run(second)).deadlineAt).toBeNull()
    await here.end()
    await here.pass(30_000)
    expect((await here.run(second)).status).toBe('RUNNING')
    await here.pass(31_000)
    expect((await here.run(second)).status).toBe('TIMED_OUT')
  })

  it('lets the line go on after the only process died', async () => {
    const here = await scene()
    const runs = await startSome(here, limited(oneAtATime), 3)
    const ends = ({ writes }: Checkpoint): boolean => writes.run?.status === 'SUCCEEDED'
    // It dies with the first run's end: nobody is told that there is room.
    here.dieAfter(0, ends)
    for (const work of [...here.atWork]) work.end()
    await here.pass(10)
    expect(await statuses(here, runs)).toEqual(['SUCCEEDED', 'CREATED', 'CREATED'])
    await here.launch()
    await here.pass(6_000)
    for (let count = 0; count < 2; count += 1) {
      await here.end()
      await here.pass(6_000)
    }
    expect(here.begun).toEqual(runs)
    expect(new Set(await statuses(here, runs))).toEqual(new Set(['SUCCEEDED']))
  })

  it('bounds the runs of a tenant, as the settings and the register say', async () => {
    const here = await scene(1, { tenantConcurrentRunsMax: 1 })
    const document = limited({})
    const mine = await here.start(document, {}, { engine: 0, tenant: 'a' })
    const other = await here.start(document, {}, { engine: 0, tenant: 'b' })
    const more = await here.start(document, {}, { engine: 0, tenant: 'a' })
    const third = await here.start(document, {}, { engine: 0, tenant: 'a' })
    await here.pass(10)
    expect(await statuses(here, [mine, other, more, third])).toEqual([
      'RUNNING',
      'RUNNING',
      'CREATED',
      'CREATED',
    ])
    expect((await here.run(more)).waitReason?.code).toBe('tenant_limit')
    expect(await here.engines[0]?.tenants.list()).toMatchObject([
      { name: 'a', runs: { limit: 1, isOwn: false, taken: 1, waiting: 2 } },
      { name: 'b', runs: { limit: 1, isOwn: false, taken: 1, waiting: 0 } },
      { name: 'local', runs: { taken: 0 } },
    ])
    await here.engines[0]?.tenants.change({ name: 'a', runs: 2 })
    await here.pass(6_000)
    expect(await statuses(here, [more, third])).toEqual(['RUNNING', 'CREATED'])
    for (let count = 0; count < 4; count += 1) await here.end()
    expect((await here.run(third)).status).toBe('SUCCEEDED')
  })
})

it('lets the next begin within seconds where who ended the one before died before it gave its permit back', async () => {
  const store = partitionedOf(createMemoryStore({ partitions: 4 }))
  const here = new EnginesScene(store)
  scenes.push(here)
  await here.launch()
  const key = 'workflow:limited'
  const ofKey = partitionOf(asRunId(key), 4)
  let before: RunId
  // One that lives elsewhere than its permit is counted.
  do {
    before = await here.start(limited(oneAtATime))
    await here.end()
  } while (partitionOf(before, 4) === ofKey)
  const take = { key, holder: before, limit: 1, expiresAt: null, by: 'dead' }
  await rawBehind(store)?.takeSlots(ofKey, { takes: [take], at: here.world.now })
  const next = await here.start(limited(oneAtATime))
  expect((await here.run(next)).status).toBe('CREATED')
  await here.pass(5_000)
  expect((await here.run(next)).status).toBe('RUNNING')
})
