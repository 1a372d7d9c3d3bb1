/** Work that nobody can do: it says why, is asked about again and again, and fails in the end. */

import { afterEach, describe, expect, it } from 'vitest'
import { schedulingBackoffMs } from '../../../../src-engine/core/reconcile/unclaimable.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import { defaultEngineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const ofPool = (pool: string): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('nowhere'),
    title: 'Nowhere',
    nodes: { work: { kind: 'noop', pool } },
    edges: {},
  }) as WorkflowDocument

const letters = (here: EnginesScene) =>
  here.store.list(0, 'deadLetters', {
    filter: { reason: null, workflowId: null, runId: null },
    page: { after: null, limit: 10 },
  })

describe('the pause between attempts', () => {
  it('doubles from a second, has jitter, ends at 30 s, and takes less than none for none [C48]', () => {
    const pause = (attempt: number, random = 0) => schedulingBackoffMs(attempt, defaultEngineSettings, random)
    expect([0, 1, 2, 3, 4].map((attempt) => pause(attempt))).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
    expect([5, 11, 1_000].map((attempt) => pause(attempt, 0.9))).toEqual([30_000, 30_000, 30_000])
    expect(pause(0, 0.5)).toBe(1_250)
    expect(pause(-3)).toBe(1_000)
  })
})

describe.each(Object.entries(sceneStores))('the pending replayer on %s', (_name, open) => {
  const scene = async (settings = {}): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch(settings)
    return here
  }

  it('says why nobody takes it, once it is old enough [G11]', async () => {
    const here = await scene()
    const run = await here.start(ofPool('gpu'))
    await here.pass(119_000)
    expect((await here.records(run))[0]?.waitReason).toBeNull()
    await here.pass(62_000)
    const [record] = await here.records(run)
    expect(record?.status).toBe('REGISTERED')
    expect(record?.waitReason).toEqual({ code: 'no_workers', message: 'No runner works for the pool “gpu”.' })
    expect(record?.dispatch?.schedulingAttempts).toBeGreaterThan(0)
  })

  it('comes to all that waits, however little one look has room for', async () => {
    const here = await scene({ reconcilerBatchSize: 1, reconcilerBatchesMax: 1 })
    const runs = [await here.start(ofPool('gpu')), await here.start(ofPool('tpu'))]
    await here.pass(240_000)
    for (const run of runs) expect((await here.records(run))[0]?.waitReason?.code).toBe('no_workers')
  })

  it('still tries after 49 attempts, and fails with a dead letter at the 50th [C12]', async () => {
    const here = await scene()
    const run = await here.start(ofPool('gpu'))
    const attempts = async () => (await here.records(run))[0]?.dispatch?.schedulingAttempts ?? 0
    for (let turn = 0; turn < 400 && (await attempts()) < 49; turn += 1) await here.pass(10_000)
    expect(await attempts()).toBe(49)
    expect(await here.statuses(run)).toEqual(['REGISTERED'])
    expect(await letters(here)).toEqual([])
    await here.pass(90_000)
    expect(await here.statuses(run)).toEqual(['FAILED'])
    expect((await here.run(run)).status).toBe('FAILED')
    expect(await letters(here)).toMatchObject([
      {
        reason: 'max_scheduling_retries',
        lastStatus: 'REGISTERED',
        body: { lastReason: 'no_workers', schedulingAttempts: 50 },
      },
    ])
  })

  it('gives it at once to a runner that comes [C46] [S47] [G14]', async () => {
    const here = await scene()
    const run = await here.start(ofPool('gpu'))
    await here.pass(400_000)
    await here.launch({ pools: ['gpu'] })
    await here.pass(100)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1])
    await here.end()
    expect(await here.statuses(run)).toEqual(['SUCCESS'])
  })

  it('leaves alone what waits for a busy runner [C29]', async () => {
    const here = await scene({ maxConcurrentTasks: 1 })
    await here.start(ofPool('default'))
    const second = await here.start(ofPool('default'))
    await here.pass(600_000)
    expect((await here.records(second))[0]).toMatchObject({ status: 'REGISTERED', dispatch: null })
    await here.end()
    await here.end()
  })
})
