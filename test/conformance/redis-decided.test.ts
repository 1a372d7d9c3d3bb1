/** Bounds of a policy, approvals of what changed, results of other runs, and who decided all that: on Redis. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { policyJson } from '../../src-engine/model/policy/policy.ts'
import type { AuditEntry } from '../../src-engine/protocol/audit.ts'
import { policyOf } from '../engine/model/policy/request.ts'
import { documentOf as childOf, edgesOf } from '../engine/model/workflow-fixture.ts'
import { OutputScene, rule, secretKey, transform } from '../engine/runtime/output-policy/output-scene.ts'
import { EnginesScene } from '../engine/runtime/permits/engines-scene.ts'
import { documentOf, setRules } from '../engine/runtime/policy/policy-scene.ts'
import type { EngineStore } from './redis-engines.ts'
import { engineSubjects } from './redis-engines.ts'
import { redisServers } from './redis-stores.ts'

const opened: EngineStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

describe.each(engineSubjects(redisServers()))('on $name', ({ open }) => {
  const connected = async (): Promise<EngineStore> => {
    const subject = await open()
    opened.push(subject)
    return subject
  }
  const judging = async (rules: readonly JsonObject[]): Promise<OutputScene> => {
    const { store, connect } = await connected()
    const here = new OutputScene(store, { outputPolicyEnabled: true })
    here.connect = connect
    await here.launch()
    await here.setRules(rules)
    return here
  }
  const decide = async (here: OutputScene, run: RunId, comment: string) => {
    const query = { runId: run, approver: null, after: null, limit: 1 }
    const [entry] = (await here.within(here.engine.approvals.list(query))).entries
    if (entry?.kind !== 'approval') throw new Error('nothing is asked')
    const { runId, invocationId, hash } = entry
    const said = { answer: 'approve', values: null, comment, by: 'ada' } as const
    await here.within(here.engine.approvals.decide({ runId, invocationId, hash, ...said }))
    await here.pass(10_000)
    return entry
  }

  it('an attempt has no more time, and no more tries, than a policy allows', async () => {
    const { store, connect } = await connected()
    const here = new EnginesScene(store)
    here.connect = connect
    await here.launch()
    const constraints = { maxRuntimeMs: 10_000, maxRetries: 1 }
    await setRules(here, [{ id: 'few', match: { kinds: ['noop'] }, decision: 'ALLOW', constraints }])
    const retry = { maxAttempts: 9, delayMs: 1_000, jitter: 0, retryOn: ['internal'] }
    const endsAs = async (run: RunId) => {
      const [record] = await here.records(run)
      return [record?.status, record?.attempt]
    }
    const tried = await here.start(documentOf({ a: { kind: 'noop', retry } }))
    for (let count = 0; count < 2; count += 1) {
      await here.pass(3_000)
      await here.end(new Error('No.'))
    }
    await here.pass(3_000)
    expect(await endsAs(tried)).toEqual(['FAILED', 2])
    const long = await here.start(documentOf({ a: { kind: 'noop' } }))
    await here.pass(13_000)
    expect(await endsAs(long)).toEqual(['TIMEOUT', 1])
  })

  it('a throttle of several workflows lets through what it says, over all engines', async () => {
    const { store, connect } = await connected()
    const here = new EnginesScene(store)
    here.connect = connect
    for (let count = 0; count < 2; count += 1) await here.launch()
    const parameters = { count: 2, amount: 1, unit: 'minutes', key: 'api', scope: 'workspace' }
    const nodes = { slow: { kind: 'throttle', parameters } }
    const documents = ['a', 'b'].map((id) => childOf({ id, nodes, edges: edgesOf() }))
    for (const [at, document] of [...documents, ...documents].entries()) {
      await here.start(document, {}, at % 2)
    }
    await here.pass(50_000)
    expect(here.begun).toHaveLength(2)
    await here.pass(20_000)
    expect(here.begun).toHaveLength(4)
    while (here.atWork.length > 0) await here.end()
  })

  it('a mutex of several workflows lets in one at a time, over all engines', async () => {
    const { store, connect } = await connected()
    const here = new EnginesScene(store)
    here.connect = connect
    for (let count = 0; count < 2; count += 1) await here.launch()
    const lock = { kind: 'semaphore', parameters: { permits: 1, key: 'account', scope: 'workspace' } }
    const nodes = { lock, a: { kind: 'debug', parent: 'lock' }, b: { kind: 'debug', parent: 'lock' } }
    const documents = ['a', 'b'].map((id) => childOf({ id, nodes, edges: edgesOf('a>b') }))
    for (const [at, document] of [...documents, ...documents].entries()) {
      await here.start(document, {}, at % 2)
    }
    for (let count = 0; count < 8; count += 1) {
      await here.pass(10_000)
      expect(here.atWork).toHaveLength(1)
      await here.end()
    }
    expect(here.most).toBe(1)
    expect(here.begun.map((run, at) => run === here.begun[at ^ 1])).not.toContain(false)
  })

  it('what somebody approved is asked about again once it is something else [C24]', async () => {
    const here = await judging([])
    const ask = { id: 'ask', decision: 'REQUIRE_APPROVAL', match: { kinds: ['debug'] } } as const
    const policy = policyJson(policyOf([ask]))
    await here.within(here.engine.policy.set({ policy, by: 'ann', note: 'first' }))
    await here.pass(6_000)
    const a = {
      kind: 'debug',
      parameters: { failTimes: 1, failMessage: 'try {{ run.attempt }}', retryable: true },
      retry: { maxAttempts: 3, delayMs: 1_000, jitter: 0 },
    }
    const run = await here.start({ nodes: { a }, edges: {} })
    await here.pass(2_000)
    const first = await decide(here, run, 'fine')
    const second = await decide(here, run, 'fine again')
    expect([first.revision, second.revision, first.hash === second.hash]).toEqual([1, 2, false])
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    const query = { runId: null, about: null, by: null, before: null, limit: 100 }
    const { entries, next } = await here.within(here.engine.audit.list(query))
    const told = entries.map(({ about, act, by, reason, hash }: AuditEntry) => [about, act, by, reason, hash])
    expect(told.slice(0, 3)).toEqual([
      ['approval', 'approved', 'ada', 'fine again', second.hash],
      ['approval', 'approved', 'ada', 'fine', first.hash],
      ['policy', 'set', 'ann', 'first', expect.stringContaining('policy_')],
    ])
    expect(next).toBeNull()
  })

  it('a result that is held back in a run of another partition is held back in its parent [C35]', async () => {
    const here = await judging([rule('quarantine', { nodes: ['found'], scanners: ['secret'] })])
    const nodes = { found: transform('input & "!"') }
    const call = { kind: 'sub-workflow', parameters: { workflow: 'child', input: 'input' } }
    const statuses = new Set<string>()
    // Among several, parents and children are in partitions of their own.
    for (let count = 0; count < 3; count += 1) {
      here.workflows.set('child', {
        document: childOf({ id: 'child', nodes, edges: edgesOf() }),
        folder: null,
      })
      const run = await here.start({ nodes: { outer: call } }, secretKey)
      await here.pass(20_000)
      for (const status of Object.values(await here.statuses(run))) statuses.add(status)
      expect((await here.seen(run)).includes(`${secretKey}!`)).toBe(false)
    }
    expect([...statuses]).toEqual(['OUTPUT_QUARANTINED'])
    expect(await here.held()).toHaveLength(3)
  })
})
