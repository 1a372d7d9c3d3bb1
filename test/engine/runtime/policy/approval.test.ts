/** An approval that a policy asks for: pinned to what was seen, under the policy that asked. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { one, setRules } from './policy-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const asks: PolicyRule = { id: 'ask', match: { kinds: ['noop'] }, decision: 'REQUIRE_APPROVAL' }

describe.each(Object.entries(sceneStores))('an approval for a policy on %s', (_name, open) => {
  const scene = async () => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }
  const recordOf = async (here: EnginesScene, run: RunId, node: string) => {
    const record = (await here.records(run)).find(({ nodeId }) => nodeId === node)
    if (record === undefined) throw new Error(`there is no record of ${node}`)
    return record
  }
  const answer = async (here: EnginesScene, of: { run: RunId; node: string; says: 'approve' | 'reject' }) => {
    const { wait, id } = await recordOf(here, of.run, of.node)
    if (wait?.kind !== 'approval') throw new Error('nobody is asked')
    const said = { runId: of.run, invocationId: id, hash: wait.hash, answer: of.says }
    const deciding = here.engines[0]?.approvals.decide({ ...said, values: null, comment: null, by: 'ann' })
    await here.pass(0)
    await deciding
    return wait
  }

  it('lets the step go on once it is given', async () => {
    const here = await scene()
    await setRules(here, [asks])
    const run = await here.start(one)
    await here.pass(0)
    expect(await recordOf(here, run, 'a')).toMatchObject({ status: 'APPROVAL_REQUIRED', attempt: 0 })
    expect(await answer(here, { run, node: 'a', says: 'approve' })).toMatchObject({
      for: 'policy',
      revision: 1,
    })
    await here.pass(0)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('that is rejected ends the step and the run DENIED', async () => {
    const here = await scene()
    await setRules(here, [asks])
    const run = await here.start(one)
    await here.pass(0)
    await answer(here, { run, node: 'a', says: 'reject' })
    await here.pass(0)
    expect((await recordOf(here, run, 'a')).status).toBe('DENIED')
    expect((await here.run(run)).status).toBe('DENIED')
  })

  it('is asked for again where another policy counts by the time the step comes back [C24]', async () => {
    const here = await scene()
    await setRules(here, [asks])
    const run = await here.start(one)
    await here.pass(0)
    await setRules(here, [asks, { id: 'more', match: { nodes: ['none'] }, decision: 'DENY' }])
    await answer(here, { run, node: 'a', says: 'approve' })
    await here.pass(0)
    expect(await recordOf(here, run, 'a')).toMatchObject({
      status: 'APPROVAL_REQUIRED',
      wait: { revision: 2 },
    })
    await answer(here, { run, node: 'a', says: 'approve' })
    await here.pass(0)
    expect(here.atWork).toHaveLength(1)
  })

  it('of a start counts for the steps that the same rule would ask about [C24]', async () => {
    const here = await scene()
    const everything: PolicyRule = { id: 'all', decision: 'REQUIRE_APPROVAL' }
    await setRules(here, [everything])
    const run = await here.start(one)
    await here.pass(0)
    await answer(here, { run, node: '$start', says: 'approve' })
    await here.pass(0)
    expect(here.atWork).toHaveLength(1)
    expect((await recordOf(here, run, 'a')).status).toBe('RUNNING')
  })
})
