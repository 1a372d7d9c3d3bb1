/** A remote kernel: stricter than the rules, and what happens while it can't be asked. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { PolicyRequest } from '../../../../src-engine/model/policy/policy.ts'
import type { ReadAnswer } from '../../../../src-engine/model/policy/remote-answer.ts'
import { readRemoteAnswer } from '../../../../src-engine/model/policy/remote-answer.ts'
import { sceneStores, simulationStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { one, setRules } from './policy-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

/** A kernel that says what the test wants of steps, and lets all runs start. */
class Kernel {
  says: unknown = { decision: 'ALLOW' }
  asked: PolicyRequest[] = []
  hangs = false

  readonly ask = (request: PolicyRequest): Promise<ReadAnswer> => {
    if (request.at === 'start') return answered({ decision: 'ALLOW' })
    this.asked.push(request)
    return this.hangs ? new Promise(() => {}) : answered(this.says)
  }
}

async function answered(body: unknown): Promise<ReadAnswer> {
  const read = readRemoteAnswer(body)
  if (read === null) throw new Error('It makes no sense.')
  return read
}

describe.each(Object.entries(sceneStores))('a remote kernel on %s', (_name, open) => {
  const scene = async (
    settings: Parameters<EnginesScene['launch']>[0] = {},
    engines = 1,
  ): Promise<{ readonly here: EnginesScene; readonly kernel: Kernel }> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    const kernel = new Kernel()
    for (let count = 0; count < engines; count += 1) await here.launch(settings, { safetyKernel: kernel })
    return { here, kernel }
  }
  const only = async (here: EnginesScene, run: RunId) => {
    const record = (await here.records(run)).find(({ nodeId }) => nodeId === 'a')
    if (record === undefined) throw new Error('there is no record')
    return record
  }

  it('is asked about what the rules let go on, and can only be stricter', async () => {
    const { here, kernel } = await scene()
    kernel.says = { decision: 'DENY', reason: 'Not today.' }
    const denied = await here.start(one)
    await here.pass(0)
    expect(await only(here, denied)).toMatchObject({ status: 'DENIED', error: { code: 'safety_denied' } })
    await setRules(here, [{ id: 'no', match: { kinds: ['noop'] }, decision: 'DENY' }])
    kernel.says = { decision: 'ALLOW' }
    kernel.asked = []
    const byRule = await here.start(one)
    await here.pass(0)
    expect((await only(here, byRule)).status).toBe('DENIED')
    expect(kernel.asked).toEqual([])
  })

  it('that gives an answer nobody knows has denied', async () => {
    const { here, kernel } = await scene()
    kernel.says = { decision: 'PERHAPS' }
    const run = await here.start(one)
    await here.pass(0)
    expect(await only(here, run)).toMatchObject({ status: 'DENIED', error: { code: 'safety_unknown' } })
    expect((await here.run(run)).status).toBe('DENIED')
  })

  it('that can’t be asked has work wait, less and less often asking, when closed [C22]', async () => {
    const { here, kernel } = await scene()
    kernel.says = null
    const run = await here.start(one)
    await here.pass(0)
    expect(await only(here, run)).toMatchObject({
      status: 'REROUTED',
      attempt: 0,
      waitReason: { code: 'safety_unavailable' },
      dispatch: { firstClaimedAt: null, policy: { decision: 'UNAVAILABLE', unavailableCount: 1 } },
    })
    kernel.says = { decision: 'ALLOW' }
    await here.pass(10_000)
    expect(await only(here, run)).toMatchObject({ status: 'RUNNING', attempt: 1 })
  })

  it('that can’t be asked lets work go on with a mark and an event when open [C22]', async () => {
    const { here, kernel } = await scene({ policyCheckFailMode: 'open' })
    kernel.says = null
    const run = await here.start(one)
    await here.pass(0)
    expect(await only(here, run)).toMatchObject({
      status: 'RUNNING',
      tags: ['safety_bypassed'],
      dispatch: { policy: { bypassed: 'noop' } },
    })
  })

  it('that can’t be asked is what a tenant’s own mode says, whatever the settings say [C22]', async () => {
    const { here, kernel } = await scene()
    await setRules(here, [], { tenantFailModes: { bold: 'open' } })
    kernel.says = null
    const shy = await here.start(one, {}, { engine: 0, tenant: 'shy' })
    const bold = await here.start(one, {}, { engine: 0, tenant: 'bold' })
    await here.pass(0)
    expect((await only(here, shy)).status).toBe('REROUTED')
    expect((await only(here, bold)).status).toBe('RUNNING')
  })

  it('that says nothing for two seconds has failed', async () => {
    const { here, kernel } = await scene()
    kernel.hangs = true
    const run = await here.start(one)
    await here.pass(1_900)
    expect((await only(here, run)).status).toBe('PENDING')
    await here.pass(200)
    expect((await only(here, run)).status).toBe('REROUTED')
  })

  it('isn’t asked for thirty seconds after three failures, by nobody; then by probes [C32]', async () => {
    const { here, kernel } = await scene({}, 2)
    kernel.says = null
    const starts = [0, 1, 0, 1].map((engine) => [{}, engine] as const)
    await here.startTogether(one, starts)
    await here.pass(0)
    const asked = kernel.asked.length
    expect(asked).toBe(4)
    await here.pass(25_000)
    expect(kernel.asked).toHaveLength(asked)
    kernel.says = { decision: 'ALLOW' }
    await here.pass(15_000)
    expect(here.atWork.length).toBeGreaterThan(0)
    await here.pass(10_000)
    expect(here.atWork).toHaveLength(4)
    const register = await here.store.load(0, 'register', { key: 'breaker:input' })
    expect(register?.value).toMatchObject({ status: 'closed' })
  })

  it('that hangs while the engine stops lets nothing through, even when open [C23]', async () => {
    const { here, kernel } = await scene({ policyCheckFailMode: 'open' })
    kernel.hangs = true
    const run = await here.start(one)
    await here.pass(100)
    expect((await only(here, run)).status).toBe('PENDING')
    const stopped = here.engines[0]?.stop()
    await here.pass(5_000)
    await stopped
    expect(await only(here, run)).toMatchObject({ status: 'REROUTED', attempt: 0, tags: [] })
    expect(here.begun).toEqual([])
  })
})

describe('the breaker of a process', () => {
  it('goes on alone while the store can’t be reached [C32]', async () => {
    const here = new EnginesScene(await (simulationStores['memory'] ?? (() => Promise.reject(new Error())))())
    scenes.push(here)
    const kernel = new Kernel()
    await here.launch({}, { safetyKernel: kernel })
    const load = here.store.load.bind(here.store)
    here.store.load = (...given: Parameters<typeof load>) =>
      given[1] === 'register' && JSON.stringify(given[2]).includes('breaker')
        ? Promise.reject(new Error('away'))
        : load(...given)
    kernel.says = null
    await here.startTogether(
      one,
      [0, 0, 0].map((engine) => [{}, engine] as const),
    )
    await here.pass(0)
    const asked = kernel.asked.length
    expect(asked).toBe(3)
    await here.pass(20_000)
    expect(kernel.asked).toHaveLength(asked)
    kernel.says = { decision: 'ALLOW' }
    await here.pass(25_000)
    expect(here.atWork).toHaveLength(3)
  })
})
