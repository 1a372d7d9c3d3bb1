/** A request that changed since somebody approved it is asked about again, and one that didn't isn't, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { policyJson } from '../../../../src-engine/model/policy/policy.ts'
import type { ApprovalView } from '../../../../src-engine/protocol/approvals.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { policyOf } from '../../model/policy/request.ts'
import { FlowScene } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

describe.each(Object.entries(sceneStores))('an approved step that is tried again on %s', (_name, open) => {
  const asking = async (failMessage: string): Promise<{ readonly here: FlowScene; readonly run: RunId }> => {
    const here = new FlowScene(await open())
    scenes.push(here)
    await here.launch()
    const policy = policyJson(
      policyOf([{ id: 'ask', decision: 'REQUIRE_APPROVAL', match: { kinds: ['debug'] } }]),
    )
    await here.within(here.engine.policy.set({ policy, by: 'ann', note: null }))
    await here.pass(6_000)
    const a = {
      kind: 'debug',
      parameters: { failTimes: 1, failMessage, retryable: true },
      retry: { maxAttempts: 3, delayMs: 1_000, jitter: 0 },
    }
    const run = await here.start({ nodes: { a }, edges: {} })
    await here.pass(1_000)
    return { here, run }
  }
  const asked = async (here: FlowScene): Promise<ApprovalView | null> => {
    const query = { runId: null, approver: null, after: null, limit: 2 }
    const [entry] = (await here.within(here.engine.approvals.list(query))).entries
    return entry?.kind === 'approval' ? entry : null
  }
  const approve = async (here: FlowScene): Promise<ApprovalView> => {
    const entry = await asked(here)
    if (entry === null) throw new Error('nothing is asked')
    const { runId, invocationId, hash } = entry
    const said = { answer: 'approve', values: null, comment: null, by: 'ada' } as const
    await here.within(here.engine.approvals.decide({ runId, invocationId, hash, ...said }))
    await here.pass(10_000)
    return entry
  }

  it('begins with the approval that it has, while nothing changed', async () => {
    const { here, run } = await asking('always the same')
    await approve(here)
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS' })
    expect((await here.executions(run)).map(([, number]) => number)).toEqual([1, 2])
  })

  it('asks again once its parameters are others, and the old answer is none to that [C24] [C27]', async () => {
    const { here, run } = await asking('try {{ run.attempt }}')
    const first = await approve(here)
    const second = await asked(here)
    expect(second).toMatchObject({
      revision: 2,
      details: { parameters: { failMessage: 'try 2' } },
    })
    expect(first.details).toMatchObject({ parameters: { failMessage: 'try 1' } })
    const { runId, invocationId } = first
    const late = { runId, invocationId, hash: first.hash, answer: 'approve' } as const
    await expect(
      here.within(here.engine.approvals.decide({ ...late, values: null, comment: null, by: 'ada' })),
    ).rejects.toMatchObject({ code: 'approval_stale' })
    await approve(here)
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS' })
    expect((await here.executions(run)).map(([, number]) => number)).toEqual([1, 2])
  })
})
