/** What a policy does to steps between their claim and their beginning, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { sceneStores, simulationStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import { documentOf, one, setRules } from './policy-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const again = { maxAttempts: 9, delayMs: 1_000, jitter: 0, retryOn: ['internal'] }

const slowOnes: PolicyRule = {
  id: 'slow',
  match: { kinds: ['noop'] },
  velocity: { max: 2, windowMs: 60_000, key: 'tenant' },
  decision: 'THROTTLE',
}

describe.each(Object.entries(sceneStores))('under a policy on %s', (_name, open) => {
  const scene = async (engines = 1, settings: Parameters<EnginesScene['launch']>[0] = {}) => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch(settings)
    return made
  }
  const onlyRecord = async (here: EnginesScene, run: RunId, node = 'a') => {
    const record = (await here.records(run)).find(({ nodeId }) => nodeId === node)
    if (record === undefined) throw new Error(`there is no record of ${node}`)
    return record
  }

  it('a step that no rule names begins, and leaves no trace of having been asked about', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'other', match: { kinds: ['shell-command'] }, decision: 'DENY' }])
    const run = await here.start(one)
    await here.pass(0)
    expect((await onlyRecord(here, run)).dispatch?.policy ?? null).toBeNull()
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(await here.history(run)).toEqual(['PENDING', 'RUNNING', 'SUCCESS'])
  })

  it('a step that its own condition would skip is asked about first: its condition is its attempt’s to ask', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'ask', match: { kinds: ['noop'] }, decision: 'REQUIRE_APPROVAL' }])
    const run = await here.start(documentOf({ a: { kind: 'noop', skipIf: 'true' } }))
    await here.pass(0)
    expect(await onlyRecord(here, run)).toMatchObject({ status: 'APPROVAL_REQUIRED', attempt: 0 })
  })

  it('a denied step ends DENIED with a dead letter, and so does its run [C21]', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'no', match: { kinds: ['noop'] }, decision: 'DENY', reason: 'Not here.' }])
    const run = await here.start(one)
    await here.pass(0)
    const record = await onlyRecord(here, run)
    expect(record).toMatchObject({ status: 'DENIED', attempt: 0, error: { code: 'safety_denied' } })
    expect(record.dispatch?.policy).toMatchObject({ decision: 'DENY', ruleId: 'no', reason: 'Not here.' })
    expect(await here.run(run)).toMatchObject({ status: 'DENIED', error: { code: 'safety_denied' } })
    const letters = await here.store.list(0, 'deadLetters', {
      filter: { reason: 'safety_denied', workflowId: null, runId: null },
      page: { after: null, limit: 10 },
    })
    expect(letters).toMatchObject([{ nodeId: 'a', reason: 'safety_denied', attempts: 0 }])
    expect(here.begun).toEqual([])
  })

  it('what nobody can hold to some hosts is denied where it may only reach some', async () => {
    const here = await scene()
    const constraints = { hosts: ['*.example.com'] }
    await setRules(here, [{ id: 'few', match: {}, decision: 'ALLOW', constraints }])
    for (const [kind, parameters] of [
      ['shell-command', { program: 'true' }],
      ['script', { code: 'x' }],
      ['docker-run', { image: 'alpine' }],
    ] as const) {
      const run = await here.start(documentOf({ a: { kind, parameters } }))
      await here.pass(0)
      expect(await onlyRecord(here, run)).toMatchObject({ status: 'DENIED', attempt: 0 })
    }
    const held = await here.start(
      documentOf({ a: { kind: 'http-request', parameters: { url: 'https://a' } } }),
    )
    await here.pass(0)
    expect((await onlyRecord(here, held)).status).toBe('RUNNING')
    await here.end()
  })

  it('a denied step whose error somebody handles goes on from there', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'no', match: { nodes: ['a'] }, decision: 'DENY' }])
    const edge = { from: { node: 'a' as never, port: 'error' }, to: { node: 'b' as never, port: 'in' } }
    const run = await here.start(
      documentOf({ a: { kind: 'noop' }, b: { kind: 'noop' } }, { edges: { e: edge } as never }),
    )
    await here.pass(0)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('what is throttled comes back after five seconds, and that is no attempt', async () => {
    const here = await scene()
    await setRules(here, [{ id: 'later', match: { kinds: ['noop'] }, decision: 'THROTTLE' }])
    const run = await here.start(one)
    await here.pass(0)
    expect(await onlyRecord(here, run)).toMatchObject({
      status: 'REROUTED',
      attempt: 0,
      waitReason: { code: 'safety_throttled' },
      notBefore: here.world.now + 5_000,
      dispatch: { firstClaimedAt: null },
    })
    await setRules(here, [])
    expect(here.atWork).toHaveLength(1)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('retry_delay_throttle: what is throttled comes back after that span', async () => {
    const here = await scene(1, { retryDelayThrottleMs: 90_000 })
    await setRules(here, [{ id: 'later', match: { kinds: ['noop'] }, decision: 'THROTTLE' }])
    const run = await here.start(one)
    await here.pass(0)
    expect((await onlyRecord(here, run)).notBefore).toBe(here.world.now + 90_000)
  })

  it('a velocity rule lets its number through within the window, over all engines', async () => {
    const here = await scene(2)
    await setRules(here, [slowOnes])
    for (let count = 0; count < 4; count += 1) await here.start(one, {}, count % 2)
    await here.pass(0)
    expect(here.atWork).toHaveLength(2)
    await here.pass(50_000)
    expect(here.atWork).toHaveLength(2)
    await here.pass(20_000)
    expect(here.atWork).toHaveLength(4)
    expect(here.begun).toHaveLength(4)
  })

  it('a step that is tried again takes no second place of a velocity rule', async () => {
    const here = await scene()
    await setRules(here, [{ ...slowOnes, velocity: { max: 1, windowMs: 600_000, key: 'tenant' } }])
    const run = await here.start(documentOf({ a: { kind: 'noop', retry: { ...again, maxAttempts: 3 } } }))
    await here.pass(0)
    await here.end(new Error('once'))
    await here.pass(4_000)
    expect(here.atWork).toHaveLength(1)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('no more run at once than the policy allows, and the next begins as one ends', async () => {
    const here = await scene(2)
    const constraints = { maxConcurrent: 2 }
    await setRules(here, [{ id: 'two', match: { kinds: ['noop'] }, decision: 'ALLOW', constraints }])
    for (let count = 0; count < 5; count += 1) await here.start(one, {}, count % 2)
    await here.pass(0)
    for (let left = 5; left > 0; left -= 1) {
      expect(here.atWork).toHaveLength(Math.min(2, left))
      await here.end()
      await here.pass(6_000)
    }
    expect(here.most).toBe(2)
  })

  it('an attempt takes no longer than the policy allows', async () => {
    const here = await scene()
    const constraints = { maxRuntimeMs: 10_000 }
    await setRules(here, [{ id: 'short', match: { kinds: ['noop'] }, decision: 'ALLOW', constraints }])
    const run = await here.start(one)
    await here.pass(0)
    const record = await onlyRecord(here, run)
    expect(record.deadlineAt).toBe((record.startedAt ?? 0) + 10_000)
    expect(record.dispatch?.policy).toMatchObject({ decision: 'ALLOW_WITH_CONSTRAINTS', constraints })
    await here.pass(11_000)
    expect(await onlyRecord(here, run)).toMatchObject({ status: 'TIMEOUT' })
  })

  it('a step is tried again no more often than the policy allows', async () => {
    const here = await scene()
    const constraints = { maxRetries: 1 }
    await setRules(here, [{ id: 'twice', match: { kinds: ['noop'] }, decision: 'ALLOW', constraints }])
    const run = await here.start(documentOf({ a: { kind: 'noop', retry: again } }))
    await here.pass(0)
    await here.end(new Error('first'))
    await here.pass(4_000)
    await here.end(new Error('second'))
    expect(await onlyRecord(here, run)).toMatchObject({ status: 'FAILED', attempt: 2 })
  })

  it('retries that were made before the policy allowed none are counted', async () => {
    const here = await scene()
    const run = await here.start(documentOf({ a: { kind: 'noop', retry: { ...again, delayMs: 60_000 } } }))
    await here.pass(0)
    await here.end(new Error('first'))
    const constraints = { maxRetries: 0 }
    await setRules(here, [{ id: 'once', match: { kinds: ['noop'] }, decision: 'ALLOW', constraints }])
    await here.pass(60_000)
    expect(await onlyRecord(here, run)).toMatchObject({
      status: 'FAILED',
      error: { code: 'max_retries_exceeded' },
    })
  })

  it('a policy that others set is in effect here within seconds', async () => {
    const here = await scene(2)
    await setRules(here, [{ id: 'no', match: { kinds: ['noop'] }, decision: 'DENY' }])
    const run = await here.start(one, {}, 1)
    await here.pass(0)
    expect((await here.run(run)).status).toBe('DENIED')
    await setRules(here, [])
    await here.start(one, {}, 1)
    await here.pass(0)
    expect(here.atWork).toHaveLength(1)
  })
})

describe('under a policy', () => {
  it('a compensation that is denied is left behind, and the rollback goes on [C40]', async () => {
    const here = new EnginesScene(await (simulationStores['memory'] ?? (() => Promise.reject(new Error())))())
    scenes.push(here)
    await here.launch()
    const match = { roles: ['compensation'] as const, nodes: ['b'] }
    await setRules(here, [{ id: 'stay', match, decision: 'DENY' }])
    const undone = { kind: 'noop', compensation: { task: { kind: 'noop', parameters: {} } } }
    const edge = (from: string, to: string) => ({
      from: { node: from, port: 'out' },
      to: { node: to, port: 'in' },
    })
    const document = documentOf(
      { a: undone, b: undone, c: { kind: 'noop' } },
      { edges: { e1: edge('a', 'b'), e2: edge('b', 'c') } as never, settings: { rollbackOn: ['failed'] } },
    )
    const run = await here.start(document)
    await here.pass(0)
    await here.end()
    await here.end()
    await here.end(new Error('c failed'))
    await here.pass(10_000)
    expect(here.atWork.map(({ nodeId }) => nodeId)).toEqual(['a'])
    await here.end()
    const ofCompensations = (await here.records(run)).filter(({ role }) => role === 'compensation')
    const statuses = Object.fromEntries(ofCompensations.map(({ nodeId, status }) => [nodeId, status]))
    expect(statuses).toEqual({ a: 'SUCCESS', b: 'DENIED' })
  })
})
