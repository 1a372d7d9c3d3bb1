/** What was decided about pulled runs, and what another policy would have said about them. */

import { expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { policyJson } from '../../../../src-engine/model/policy/policy.ts'
import { policyOf } from '../../model/policy/request.ts'
import { transform } from '../../runtime/output-policy/output-scene.ts'
import type { TeleportScene } from './teleport-scene.ts'
import { teleportScene } from './teleport-scene.ts'

const pull = ({ handlers }: TeleportScene, runId: RunId) =>
  handlers['teleport.pull']({ cluster: 'plant', runId, family: false })

const deny: PolicyRule = { id: 'no', match: { kinds: ['transform'] }, decision: 'DENY' }

test('a policy is replayed on the runs of this machine and on those that were pulled', async () => {
  const here = await teleportScene()
  const { handlers, cluster, own } = here
  const { id: there } = await cluster.play({ nodes: { a: transform('1') } })
  const asked = { policy: policyJson(policyOf([deny])), workflowId: null, limit: 10 }
  expect(await handlers['policy.replay'](asked)).toMatchObject({ runs: 0, escalated: 0 })
  await pull(here, there)
  const { id: mine } = await own.play({ nodes: { b: transform('1') } })
  const replay = await own.within(handlers['policy.replay'](asked))
  expect(replay).toMatchObject({ runs: 2, steps: 2, escalated: 2, relaxed: 0, unchanged: 0 })
  expect(replay.differences.map(({ runId, nodeId }) => [runId, nodeId])).toEqual([
    [mine, 'b'],
    [there, 'a'],
  ])
  expect(await own.within(handlers['policy.replay']({ ...asked, limit: 1 }))).toMatchObject({ runs: 1 })
  // Null is the policy that counts here, also for what ran elsewhere.
  const none = await own.within(handlers['policy.replay']({ ...asked, policy: null }))
  expect(none).toMatchObject({ runs: 2, unchanged: 2 })
  await own.within(handlers['policy.set']({ policy: asked.policy, by: 'ada', note: null }))
  expect(await own.within(handlers['policy.replay']({ ...asked, policy: null }))).toMatchObject({
    escalated: 2,
  })
})

test('who decided what about a pulled run is read here, and so is its question', async () => {
  const here = await teleportScene()
  const { handlers, cluster } = here
  const ask = { kind: 'approval', parameters: { title: 'Sure?' } }
  const runId = await cluster.start({ nodes: { ask }, edges: {} })
  await cluster.pass(100)
  const { approvals } = cluster.engine
  const query = { runId, approver: null, after: null, limit: 1 }
  const [entry] = (await cluster.within(approvals.list(query))).entries
  if (entry?.kind !== 'approval') throw new Error('nothing is asked')
  const { invocationId, hash } = entry
  const said = { answer: 'approve', values: null, comment: 'fine', by: 'ada' } as const
  await cluster.within(approvals.decide({ runId, invocationId, hash, ...said }))
  await cluster.pass(100)
  await pull(here, runId)
  const audit = { runId, about: null, by: null, before: null, limit: 10 }
  expect(await handlers['audit.list'](audit)).toMatchObject({
    entries: [{ about: 'approval', act: 'approved', by: 'ada', reason: 'fine', hash, nodeId: 'ask' }],
    next: null,
  })
  expect(await handlers['approvals.show']({ runId, invocationId })).toMatchObject({
    entry: { title: 'Sure?', decided: { by: 'ada', comment: 'fine' } },
  })
  expect(await handlers['saga.show']({ runId })).toMatchObject({ undone: [], leftBehind: [] })
})
