/** One list of who decided what: approvals, held results, rollbacks, runs and policies, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { policyJson } from '../../../../src-engine/model/policy/policy.ts'
import type { AuditEntry, AuditQuery } from '../../../../src-engine/protocol/audit.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { policyOf } from '../../model/policy/request.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import { OutputScene, rule, secretKey, transform } from '../output-policy/output-scene.ts'

const scenes: OutputScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const ask = (parameters: JsonObject = {}): JsonObject => ({
  kind: 'approval',
  parameters: { title: 'Sure?', pushBack: true, ...parameters },
})

const asking = (parameters: JsonObject = {}): JsonObject => ({ nodes: { ask: ask(parameters) }, edges: {} })

describe.each(Object.entries(sceneStores))('the audit on %s', (_name, open) => {
  const judging = async (): Promise<OutputScene> => {
    const scene = await OutputScene.judging(await open(), [
      rule('quarantine', { nodes: ['held'], scanners: ['secret'] }),
    ])
    scenes.push(scene)
    return scene
  }
  const listed = async (here: OutputScene, asked: Partial<AuditQuery> = {}) => {
    const query = { runId: null, about: null, by: null, before: null, limit: 100, ...asked }
    return here.within(here.engine.audit.list(query))
  }
  const brief = ({ about, act, by, nodeId, reason }: AuditEntry): string =>
    `${by} ${act} ${about} ${nodeId ?? '-'}: ${reason ?? '-'}`
  const briefs = async (here: OutputScene, asked: Partial<AuditQuery> = {}) =>
    (await listed(here, asked)).entries.map(brief)
  const decide = async (here: OutputScene, run: RunId, answer: 'approve' | 'reject' | 'push-back') => {
    const { approvals } = here.engine
    const { entries } = await here.within(
      approvals.list({ runId: run, approver: null, after: null, limit: 1 }),
    )
    const [entry] = entries
    if (entry?.kind !== 'approval') throw new Error('nothing is asked')
    const { runId, invocationId, hash } = entry
    const said = { runId, invocationId, hash, answer, values: null, comment: `I ${answer} it`, by: 'ada' }
    await here.within(approvals.decide(said))
    await here.pass(100)
    return hash
  }

  it('tells answers to questions, and that nobody answered [C28]', async () => {
    const here = await judging()
    const seen: string[] = []
    for (const answer of ['approve', 'reject', 'push-back'] as const) {
      const run = await here.start(asking())
      await here.pass(100)
      seen.unshift(await decide(here, run, answer))
    }
    const late = await here.start(asking({ onExpiry: 'reject', amount: 1, unit: 'hours' }))
    await here.pass(3_700_000)
    const { entries, next } = await listed(here, { about: ['approval'] })
    expect(entries.map(brief)).toEqual([
      'null expired approval ask: -',
      'ada pushed-back approval ask: I push-back it',
      'ada rejected approval ask: I reject it',
      'ada approved approval ask: I approve it',
    ])
    expect(entries.slice(1).map(({ hash }) => hash)).toEqual(seen)
    expect(entries[0]).toMatchObject({ runId: late, workflowTitle: expect.any(String) })
    expect(next).toBeNull()
    expect(await briefs(here, { runId: late })).toEqual(['null expired approval ask: -'])
  })

  it('tells who looked at held results, released them, threw them away, and set the rules', async () => {
    const here = await judging()
    const held: JsonObject = { nodes: { held: transform('input') }, edges: {} }
    const { quarantine } = here.engine.outputs
    for (const fate of ['release', 'discard'] as const) {
      const run = await here.play(held, secretKey)
      const invocationId = here.id(run.id, 'held')
      await here.within(quarantine.content(invocationId, 'bob'))
      const said = { invocationId, by: 'bob', reason: 'known' }
      await here.within(
        fate === 'release' ? quarantine.release({ ...said, goOn: false }) : quarantine.discard(said),
      )
    }
    const { policy } = here.engine
    const set = policyJson(policyOf([{ id: 'r', match: { kinds: ['none'] }, decision: 'DENY' }]))
    const { hash } = await here.within(policy.set({ policy: set, by: 'eve', note: 'first' }))
    await here.within(policy.set({ policy: null, by: 'eve', note: 'no more' }))
    expect(await briefs(here)).toEqual([
      'eve cleared policy -: no more',
      'eve set policy -: first',
      'bob discarded result held: known',
      'bob seen result held: -',
      'bob released result held: known',
      'bob seen result held: -',
      'ada set output-policy -: -',
    ])
    const { entries } = await listed(here, { about: ['policy'] })
    expect(entries.map((entry) => entry.hash)).toEqual([null, hash])
  })

  it('tells what people did to runs, to their steps, and to rollbacks that failed', async () => {
    const here = await judging()
    const { engine } = here
    const wait: JsonObject = { kind: 'delay', parameters: { amount: 1, unit: 'hours' } }
    const run = await here.start({ nodes: { a: wait, b: wait }, edges: {} })
    await here.pass(100)
    const control = (action: 'pause' | 'resume' | 'cancel' | 'skip', nodeId: string | null) =>
      here.within(
        engine.controlRun({
          ...{ runId: run, action, nodeId: nodeId as never, by: 'ann', reason: action },
          wait: false,
        }),
      )
    await control('pause', null)
    await control('resume', null)
    await control('skip', 'b')
    await control('cancel', null)
    const failing: JsonObject = {
      kind: 'debug',
      parameters: { failTimes: 9, failMessage: 'No.', retryable: false },
    }
    const steps: JsonObject = {
      nodes: {
        a: {
          ...transform('1'),
          sideEffect: 'idempotent',
          compensation: { task: failing, retry: { maxAttempts: 1 } },
        },
        z: { kind: 'stop', parameters: { status: 'failed', message: 'over' } },
      },
      edges: edgesOf('a>z'),
      settings: { rollbackOn: ['failed'] },
    }
    const act = (runId: RunId, action: 'retry' | 'skip' | 'abandon') =>
      here.within(engine.saga.act({ runId, action, of: null, by: 'joe', reason: action }))
    const undone = await here.play(steps)
    await act(undone.id, 'retry')
    await here.pass(60_000)
    await act(undone.id, 'skip')
    const other = await here.play(steps)
    await act(other.id, 'abandon')
    expect(await briefs(here, { by: 'ann' })).toEqual([
      'ann cancelled run -: cancel',
      'ann skipped run b: skip',
      'ann resumed run -: resume',
      'ann paused run -: pause',
    ])
    expect(await briefs(here, { by: 'joe' })).toEqual([
      'joe abandoned rollback -: abandon',
      'joe skipped rollback a: skip',
      'joe retried rollback a: retry',
    ])
    expect(await briefs(here, { runId: other.id, about: ['run', 'rollback'] })).toEqual([
      'joe abandoned rollback -: abandon',
    ])
  })

  it('is read by page, of all and of one run, each decision once', async () => {
    const here = await judging()
    const run = await here.start({
      nodes: { a: ask(), b: ask(), c: ask() },
      edges: edgesOf('a:approved>b', 'b:approved>c'),
    })
    await here.pass(100)
    for (let count = 0; count < 3; count += 1) await decide(here, run, 'approve')
    for (const runId of [null, run]) {
      const found: string[] = []
      for (let before: string | null = null; ; ) {
        const page = await listed(here, { runId, about: ['approval'], before, limit: 1 })
        found.push(...page.entries.map(({ nodeId }) => nodeId ?? ''))
        if (page.next === null) break
        before = page.next
      }
      expect(found).toEqual(['c', 'b', 'a'])
    }
  })
})
