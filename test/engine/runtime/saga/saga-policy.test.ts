/** Whether steps may be undone is asked of the policy, each time anew, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { runId } from '../../../../src-engine/model/ids.ts'
import type { PolicyRequest } from '../../../../src-engine/model/policy/policy.ts'
import { readRemoteAnswer } from '../../../../src-engine/model/policy/remote-answer.ts'
import type { WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { documentOf, setRules } from '../policy/policy-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

/** Lets all go on that isn't a compensation; says of those what the test wants. */
class Kernel {
  says: unknown = { decision: 'ALLOW' }
  readonly asked: PolicyRequest[] = []

  readonly ask = async (request: PolicyRequest) => {
    const isUndo = request.role === 'compensation'
    if (isUndo) this.asked.push(request)
    const read = readRemoteAnswer(isUndo ? this.says : { decision: 'ALLOW' })
    if (read === null) throw new Error('away')
    return read
  }
}

const undone: WorkflowNode = { kind: 'noop', compensation: { task: { kind: 'noop', parameters: {} } } }
const chain = documentOf(
  { a: undone, b: undone, c: { kind: 'noop' } },
  { edges: edgesOf('a>b', 'b>c') as never },
)

describe.each(Object.entries(sceneStores))('the policy of a rollback on %s', (_name, open) => {
  const scene = async (settings: Parameters<EnginesScene['launch']>[0] = {}) => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    const kernel = new Kernel()
    const engine = await here.launch(settings, { safetyKernel: kernel })
    /** To where the rollback asks for the first time. */
    const fail = async (): Promise<RunId> => {
      const run = await here.start(chain)
      for (const error of [undefined, undefined, new Error('c failed')]) {
        await here.pass(0)
        await here.end(error)
      }
      return run
    }
    const undoOf = async (run: RunId, node: string) =>
      (await here.records(run)).findLast(({ nodeId, role }) => role !== 'forward' && nodeId === node)
    const settle = async (act: Promise<unknown>): Promise<void> => {
      let done = false
      const mark = (): void => {
        done = true
      }
      act.then(mark, mark)
      await here.world.run(here.world.now + 60_000, () => done)
      await act
    }
    return { here, kernel, engine, fail, undoOf, settle }
  }

  it('it is asked about each compensation by itself, as one that undoes [C40]', async () => {
    const { here, kernel, fail } = await scene()
    const run = await fail()
    const labels = { saga_compensation: 'true', is_compensation: 'true', saga_workflow_id: chain.id }
    const asked = { nodeId: 'b', role: 'compensation', kind: 'noop', runId: run, labels }
    expect(kernel.asked).toMatchObject([asked])
    await here.end()
    expect(kernel.asked.map(({ nodeId }) => nodeId)).toEqual(['b', 'a'])
    await here.end()
    expect((await here.run(run)).status).toBe('COMPENSATED')
  })

  it('what it denies is skipped and told as left behind, and the rest is undone [C40]', async () => {
    const { here, kernel, engine, fail } = await scene()
    kernel.says = { decision: 'DENY', reason: 'Money stays.' }
    const run = await fail()
    expect((await here.run(run)).status).toBe('COMPENSATED')
    const { undone: done, leftBehind } = await engine.saga.show(runId(run))
    expect(done).toEqual([])
    expect(leftBehind).toMatchObject([
      { nodeId: 'b', reason: 'denied', message: expect.stringContaining('Money stays.') },
      { nodeId: 'a', reason: 'denied' },
    ])
    expect(here.begun).toHaveLength(3)
  })

  it('a person who is asked about one is shown that it undoes the step', async () => {
    const { kernel, engine, fail, settle } = await scene()
    kernel.says = { decision: 'REQUIRE_APPROVAL' }
    const run = await fail()
    const asked = engine.approvals.list({ runId: runId(run), approver: null, after: null, limit: 10 })
    await settle(asked)
    expect((await asked).entries).toMatchObject([{ nodeId: 'b', title: 'Undo of b: Orders' }])
  })

  it('while it can’t be asked nothing is undone: it waits, asks again, and goes on once it can be [C41]', async () => {
    // What lets other work go on unasked doesn’t count here.
    const { here, kernel, fail, undoOf } = await scene({ policyCheckFailMode: 'open' })
    kernel.says = null
    const run = await fail()
    expect(await undoOf(run, 'b')).toMatchObject({
      status: 'REROUTED',
      attempt: 0,
      waitReason: { code: 'safety_unavailable' },
      dispatch: { policy: { decision: 'UNAVAILABLE', unavailableCount: 1 } },
    })
    await here.pass(30_000)
    expect(here.atWork).toEqual([])
    expect((await here.run(run)).status).toBe('COMPENSATING')
    kernel.says = { decision: 'ALLOW' }
    await here.pass(60_000)
    expect(here.atWork.map(({ nodeId }) => nodeId)).toEqual(['b'])
    await here.end()
    await here.end()
    expect((await here.run(run)).status).toBe('COMPENSATED')
  })

  it('compensation_policy_attempts: then it parks with a dead letter, and a retry asks anew [C41]', async () => {
    const { here, kernel, engine, fail, undoOf, settle } = await scene({ compensationPolicyAttempts: 3 })
    kernel.says = null
    const run = await fail()
    await here.pass(120_000)
    expect(await here.run(run)).toMatchObject({
      status: 'COMPENSATION_FAILED',
      waitReason: { code: 'compensation_failed' },
    })
    expect(await undoOf(run, 'b')).toMatchObject({
      status: 'FAILED',
      attempt: 0,
      error: { code: 'compensation_safety_unavailable' },
      dispatch: { policy: { unavailableCount: 3 } },
    })
    expect(await undoOf(run, 'a')).toMatchObject({ status: 'WAITING', wait: { kind: 'rollback' } })
    const letters = await here.store.list(0, 'deadLetters', {
      filter: { reason: 'compensation_safety_unavailable', workflowId: null, runId: null },
      page: { after: null, limit: 10 },
    })
    expect(letters).toMatchObject([{ nodeId: 'b', runId: run, attempts: 0 }])
    kernel.says = { decision: 'ALLOW' }
    await settle(
      engine.saga.act({ runId: runId(run), action: 'retry', of: null, by: 'Ada', reason: 'It is back.' }),
    )
    await here.pass(60_000)
    await here.end()
    await here.end()
    expect((await here.run(run)).status).toBe('COMPENSATED')
  })

  it('compensation_policy_fail_mode: open undoes unasked, with a mark', async () => {
    const { here, kernel, fail, undoOf } = await scene({ compensationPolicyFailMode: 'open' })
    kernel.says = null
    const run = await fail()
    expect(await undoOf(run, 'b')).toMatchObject({ status: 'RUNNING', tags: ['safety_bypassed'] })
    await here.end()
    await here.end()
    expect((await here.run(run)).status).toBe('COMPENSATED')
  })

  it('a throttled compensation comes back, and that is no attempt', async () => {
    const { here, kernel, fail, undoOf } = await scene()
    kernel.says = { decision: 'THROTTLE' }
    const run = await fail()
    expect(await undoOf(run, 'b')).toMatchObject({
      status: 'REROUTED',
      attempt: 0,
      waitReason: { code: 'safety_throttled' },
    })
    kernel.says = { decision: 'ALLOW' }
    await here.pass(10_000)
    expect(await undoOf(run, 'b')).toMatchObject({ status: 'RUNNING', attempt: 1 })
  })

  it('what was approved for its step says nothing about what undoes it: that is asked again', async () => {
    const { here, engine, undoOf, settle } = await scene()
    await setRules(here, [{ id: 'ask', match: { nodes: ['b'] }, decision: 'REQUIRE_APPROVAL' }])
    const run = await here.start(chain)
    const answer = async (says: 'approve' | 'reject'): Promise<void> => {
      await here.pass(0)
      const asking = (await here.records(run)).find(({ status }) => status === 'APPROVAL_REQUIRED')
      if (asking?.wait?.kind !== 'approval') throw new Error('nobody is asked')
      const said = { runId: run, invocationId: asking.id, hash: asking.wait.hash, answer: says }
      await settle(engine.approvals.decide({ ...said, values: null, comment: null, by: 'ann' }))
      await here.pass(0)
    }
    await here.pass(0)
    await here.end()
    await answer('approve')
    await here.end()
    await here.end(new Error('c failed'))
    await here.pass(0)
    expect(await undoOf(run, 'b')).toMatchObject({ status: 'APPROVAL_REQUIRED', attempt: 0 })
    expect(here.atWork).toEqual([])
    await answer('reject')
    expect(await undoOf(run, 'b')).toMatchObject({ status: 'DENIED' })
    expect((await engine.saga.show(runId(run))).leftBehind).toMatchObject([{ nodeId: 'b', reason: 'denied' }])
    await here.end()
    expect((await here.run(run)).status).toBe('COMPENSATED')
  })

  it('bounds of the policy hold for what undoes, and those of its step don’t', async () => {
    const { here, fail, undoOf } = await scene()
    const constraints = { maxRuntimeMs: 9_000, hosts: ['pay.example'] }
    await setRules(here, [
      { id: 'wide', match: { roles: ['forward'] }, decision: 'ALLOW', constraints: { hosts: ['*'] } },
      { id: 'bound', match: { roles: ['compensation'] }, decision: 'ALLOW', constraints },
    ])
    const run = await fail()
    const undo = await undoOf(run, 'b')
    expect(undo).toMatchObject({ status: 'RUNNING', dispatch: { policy: { ruleId: 'bound', constraints } } })
    expect(undo?.deadlineAt).toBe((undo?.startedAt ?? 0) + 9_000)
  })
})
