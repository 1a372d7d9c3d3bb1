/** The throttle: how many may go on within a time, by key, over runs, workflows and engines. */

import { afterEach, describe, expect, it } from 'vitest'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

/** The parameters come with the input too: the scene's expressions are the input's members. */
const throttled = (parameters: JsonObject, id = 'calls', more: object = {}): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: 'Calls',
    nodes: { slow: { kind: 'throttle', parameters, ...more } },
    edges: {},
  }) as WorkflowDocument

const twice = { count: 2, amount: 10, unit: 'seconds' }

describe.each(Object.entries(sceneStores))('a throttle on %s', (_name, open) => {
  const scene = async (engines = 1): Promise<EnginesScene> => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch()
    return made
  }
  const endAll = async (here: EnginesScene): Promise<void> => {
    while (here.atWork.length > 0) await here.end()
  }

  it('lets so many through within its time, and the others in their order after it', async () => {
    const here = await scene()
    const runs = []
    for (let count = 0; count < 5; count += 1) {
      runs.push(await here.start(throttled(twice)))
      await here.pass(10)
    }
    expect(here.begun).toEqual(runs.slice(0, 2))
    // Ends give no place back: it is starts that count.
    await endAll(here)
    await here.pass(5_000)
    expect(here.begun).toHaveLength(2)
    await here.pass(6_000)
    expect(here.begun).toEqual(runs.slice(0, 4))
    await here.pass(11_000)
    expect(here.begun).toEqual(runs)
    await endAll(here)
    for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('holds across engines', async () => {
    const here = await scene(2)
    for (let count = 0; count < 6; count += 1) await here.start(throttled(twice), {}, count % 2)
    await here.pass(1_000)
    expect(here.begun).toHaveLength(2)
    await here.pass(10_000)
    expect(here.begun).toHaveLength(4)
    await endAll(here)
    await here.pass(11_000)
    await endAll(here)
    expect(new Set(here.begun).size).toBe(6)
  })

  it('counts each key for itself', async () => {
    const here = await scene()
    const once = { ...twice, count: 1 }
    const first = await here.start(throttled(once), { key: { customer: 'a' } })
    const other = await here.start(throttled(once), { key: { customer: 'b' } })
    await here.pass(10)
    const same = await here.start(throttled(once), { key: { customer: 'a' } })
    await here.pass(10)
    expect(here.begun).toEqual([first, other])
    expect((await here.records(same))[0]).toMatchObject({
      status: 'CONCURRENCY_CONTROLLED',
      waitReason: { code: 'rate_limit' },
    })
    await here.pass(11_000)
    expect(here.begun).toEqual([first, other, same])
    await endAll(here)
  })

  it('counts equal keys of other workflows only when it is told so', async () => {
    const here = await scene()
    const own = { ...twice, count: 1, key: 'api' }
    await here.start(throttled(own, 'a'))
    await here.start(throttled(own, 'b'))
    await here.pass(10)
    expect(here.begun).toHaveLength(2)
    const shared = { ...own, scope: 'workspace' }
    await here.start(throttled(shared, 'a'))
    await here.pass(10)
    const later = await here.start(throttled(shared, 'b'))
    await here.pass(10)
    expect(here.begun).toHaveLength(3)
    expect(await here.statuses(later)).toEqual(['CONCURRENCY_CONTROLLED'])
    await here.pass(11_000)
    expect(here.begun).toHaveLength(4)
    await endAll(here)
  })

  it('fails or skips when it is told so, whatever the settings say', async () => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch({ rerouteOnConcurrencyControl: true })
    const fails = { ...twice, count: 1, onFull: 'fail' }
    await here.start(throttled(fails))
    await here.pass(10)
    const failed = await here.start(throttled(fails))
    const skipped = await here.start(throttled({ ...fails, onFull: 'skip' }))
    await here.pass(10)
    expect(await here.run(failed)).toMatchObject({ status: 'FAILED', error: { code: 'rate_limited' } })
    expect(await here.statuses(skipped)).toEqual(['CONCURRENCY_CONTROLLED_FINAL'])
    expect((await here.run(skipped)).status).toBe('SUCCEEDED')
    await endAll(here)
  })

  it('leaves by the error way where there is one', async () => {
    const here = await scene()
    const document = throttled({ ...twice, count: 1, onFull: 'fail' })
    const nodes = { ...document.nodes, late: { kind: 'noop' } }
    const edges = { e: { from: { node: 'slow', port: 'error' }, to: { node: 'late', port: 'in' } } }
    const handled = { ...document, nodes, edges } as unknown as WorkflowDocument
    await here.start(handled)
    await here.pass(10)
    await endAll(here)
    const second = await here.start(handled)
    await here.pass(10)
    expect(here.atWork.map(({ nodeId }) => nodeId)).toEqual(['late'])
    await endAll(here)
    expect((await here.run(second)).status).toBe('SUCCEEDED')
  })

  it('goes on after its runner died, and counts what it began anew', async () => {
    const here = await scene(2)
    const once = { ...twice, count: 1, amount: 5, unit: 'minutes' }
    await here.start(throttled(once))
    await here.pass(10)
    const owner = here.atWork[0]?.engine ?? 0
    const second = await here.start(throttled(once), {}, 1 - owner)
    await here.pass(10)
    here.processes[owner]?.die()
    here.atWork.splice(0)
    for (let count = 0; count < 4; count += 1) {
      await here.pass(301_000)
      expect(here.atWork.length).toBeLessThan(2)
      await endAll(here)
    }
    expect((await here.run(second)).status).toBe('SUCCEEDED')
  })

  it('counts nothing that is bypassed', async () => {
    const here = await scene()
    const off = throttled({ ...twice, count: 1 }, 'calls', { bypassed: true })
    const runs = [await here.start(off), await here.start(off), await here.start(off)]
    await here.pass(10)
    await endAll(here)
    for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
  })
})
