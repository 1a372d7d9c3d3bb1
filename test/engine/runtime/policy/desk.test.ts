/** Setting, trying out and going back: what people do with the policy. */

import { expect, it } from 'vitest'
import { policyJson } from '../../../../src-engine/model/policy/policy.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { policyOf } from '../../model/policy/request.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { one, setRules } from './policy-scene.ts'

async function scene() {
  const here = new EnginesScene(createMemoryStore())
  return { here, policy: (await here.launch()).policy }
}

it('the last ten policies are kept, and an earlier one counts again', async () => {
  const { here, policy } = await scene()
  const hashes: string[] = []
  for (let count = 0; count < 12; count += 1)
    hashes.push(await setRules(here, [{ id: `r${count}`, match: { kinds: ['log'] }, decision: 'DENY' }]))
  const { current, snapshots } = await policy.history()
  expect(current).toBe(hashes[11])
  expect(snapshots.map(({ hash }) => hash)).toEqual(hashes.slice(2).reverse())
  const back = await policy.rollback({ hash: hashes[4] ?? '', by: 'bob', note: 'as it was' })
  expect(back).toMatchObject({ hash: hashes[4], policy: { rules: [{ id: 'r4' }] } })
  expect((await policy.history()).snapshots[0]).toMatchObject({
    hash: hashes[4],
    by: 'bob',
    note: 'as it was',
  })
  await expect(policy.rollback({ hash: hashes[0] ?? '', by: null, note: null })).rejects.toMatchObject({
    code: 'policy_not_found',
  })
})

it('a policy that is wrong is refused, and the one before goes on to count', async () => {
  const { here, policy } = await scene()
  const hash = await setRules(here, [{ id: 'a', decision: 'ALLOW' }])
  const wrong = { ...policyOf([]), rules: [{ id: 'a', decision: 'SOME' }] }
  await expect(policy.set({ policy: wrong, by: null, note: null })).rejects.toMatchObject({
    code: 'policy_invalid',
  })
  expect((await policy.view()).hash).toBe(hash)
  const stale = policy.set({ policy: policyJson(policyOf([])), by: null, note: null, expected: 'other' })
  await expect(stale).rejects.toMatchObject({ code: 'policy_changed' })
  expect(await policy.set({ policy: null, by: null, note: null })).toMatchObject({ hash: null, policy: null })
})

it('a trial tells what would be answered, and which rules were passed', async () => {
  const { policy } = await scene()
  const tried = policyJson(
    policyOf([
      { id: 'off', enabled: false, decision: 'DENY' },
      { id: 'log', match: { kinds: ['log'] }, decision: 'DENY' },
      { id: 'fast', velocity: { max: 1, windowMs: 1, key: 'tenant' }, decision: 'DENY' },
      { id: 'http', match: { kinds: ['http-*'] }, decision: 'REQUIRE_APPROVAL' },
    ]),
  )
  expect(await policy.test({ policy: tried, request: { kind: 'http-request' } })).toMatchObject({
    decision: 'REQUIRE_APPROVAL',
    ruleId: 'http',
    passed: [
      { ruleId: 'off', why: 'disabled' },
      { ruleId: 'log', why: 'no-match' },
      { ruleId: 'fast', why: 'within-velocity' },
    ],
  })
})

it('a replay tells which past steps would have been judged otherwise', async () => {
  const { here, policy } = await scene()
  const allowed = await here.start(one)
  await here.pass(0)
  await here.end()
  await setRules(here, [{ id: 'no', match: { kinds: ['noop'] }, decision: 'DENY' }])
  await here.start(one)
  await here.pass(0)
  const milder = policyJson(policyOf([{ id: 'ask', match: { kinds: ['noop'] }, decision: 'THROTTLE' }]))
  const replay = await policy.replay({ policy: milder, workflowId: null, limit: 10 })
  expect(replay).toMatchObject({ runs: 2, steps: 2, escalated: 1, relaxed: 1, unchanged: 0 })
  expect(replay.differences).toContainEqual(
    expect.objectContaining({ runId: allowed, change: 'escalated', before: 'ALLOW', after: 'THROTTLE' }),
  )
  const same = await policy.replay({ policy: null, workflowId: null, limit: 1 })
  expect(same).toMatchObject({ runs: 1, steps: 1, unchanged: 1 })
})
