/** What people and rules decide about runs, on Redis: approvals, policies, held results, rollbacks. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import type { PolicyRule } from '../../src-engine/model/policy/policy.ts'
import type { ApprovalView } from '../../src-engine/protocol/approvals.ts'
import type { SagaAction } from '../../src-engine/protocol/saga.ts'
import { createDirectScanner } from '../../src-engine/runtime/output-policy/scan-json.ts'
import { edgesOf } from '../engine/model/workflow-fixture.ts'
import { FlowScene, valueOf } from '../engine/runtime/control-flow/flow-scene.ts'
import {
  chain,
  OutputScene,
  rule,
  secretKey,
  transform,
} from '../engine/runtime/output-policy/output-scene.ts'
import { EnginesScene } from '../engine/runtime/permits/engines-scene.ts'
import { one, setRules } from '../engine/runtime/policy/policy-scene.ts'
import { eventsOfRun } from '../support/read-events.ts'
import type { EngineStore } from './redis-engines.ts'
import { engineSubjects } from './redis-engines.ts'
import { redisServers } from './redis-stores.ts'

const opened: EngineStore[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

const asking = (parameters: Record<string, JsonValue> = {}): JsonObject => ({
  nodes: {
    ask: { kind: 'approval', parameters: { title: 'Pay {{ input.amount }}?', ...parameters } },
    yes: transform('input'),
    no: transform('input'),
  },
  edges: edgesOf('ask:approved>yes', 'ask:rejected>no'),
})

const undone = (result: string, task: JsonObject): JsonObject => ({
  ...transform(result),
  sideEffect: 'idempotent',
  compensation: { task },
})

const steps = {
  nodes: {
    a: undone('"a"', transform('original.output')),
    b: undone('"b"', transform('original.output')),
    c: undone('"c"', transform('original.output')),
    d: { kind: 'stop', parameters: { status: 'failed', message: 'The carrier refused.' } },
  },
  edges: edgesOf('a>b', 'b>c', 'c>d'),
}

async function only(scene: FlowScene): Promise<ApprovalView> {
  const query = { runId: null, approver: null, after: null, limit: 10 }
  const [entry] = (await scene.within(scene.engine.approvals.list(query))).entries
  if (entry?.kind !== 'approval') throw new Error('nothing is asked')
  return entry
}

/** What became of each of several answers that are given in the same moment. */
async function together<Answer>(scene: FlowScene, answers: readonly Promise<Answer>[]) {
  const settled = await scene.within(Promise.allSettled(answers))
  return {
    taken: settled.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
    refused: settled.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : [])),
  }
}

/** The compensations that were executed, in the order in which they began, each with its attempts. */
async function undoing(scene: FlowScene, run: RunId): Promise<readonly string[]> {
  const executed = await scene.executions(run)
  return executed.flatMap(([step = '', number]) => (step.includes('~undo') ? [`${step} ${number}`] : []))
}

describe.each(engineSubjects(redisServers()))('on $name', ({ open }) => {
  const connected = async <Scene extends FlowScene | EnginesScene>(
    make: (store: EngineStore['store']) => Scene,
    engines = 1,
  ): Promise<Scene> => {
    const subject = await open()
    opened.push(subject)
    const scene = make(subject.store)
    scene.connect = subject.connect
    for (let count = 0; count < engines; count += 1) await scene.launch()
    return scene
  }
  const flow = (engines = 1) => connected((store) => new FlowScene(store), engines)

  describe('an approval', () => {
    const begun = async (here: FlowScene, parts: JsonObject): Promise<RunId> => {
      const runId = await here.start(parts, { amount: 3 })
      await here.pass(1_000)
      return runId
    }
    const say = (of: ApprovalView, set: { readonly answer?: 'reject'; readonly by?: string }) => {
      const { runId, invocationId, hash } = of
      const said = { answer: 'approve', values: null, comment: null, by: 'ada' } as const
      return { runId, invocationId, hash, ...said, ...set }
    }

    it('that two give differently at once, each on an engine of their own, is taken once [C63]', async () => {
      const here = await flow(2)
      const runId = await begun(here, asking())
      const entry = await only(here)
      expect(entry).toMatchObject({ title: 'Pay 3?', revision: 1, decided: null })
      const { taken, refused } = await together(
        here,
        here.engines.map(({ approvals }, at) =>
          approvals.decide(say(entry, at === 0 ? {} : { answer: 'reject', by: 'bob' })),
        ),
      )
      expect([taken.length, refused]).toMatchObject([1, [{ code: 'approval_already_decided' }]])
      await here.pass(5_000)
      const outcome = taken[0]?.decided.outcome === 'approved' ? 'yes' : 'no'
      expect(await here.statuses(runId)).toEqual({ ask: 'SUCCESS', [outcome]: 'SUCCESS' })
      const causes = (await eventsOfRun(here.store, runId)).filter(({ cause }) => cause.kind === 'approval')
      expect(new Set(causes.map(({ cause }) => cause.by)).size).toBe(1)
    })

    it('that two give alike at once is taken once, and both hear of it', async () => {
      const here = await flow(2)
      const runId = await begun(here, asking())
      const entry = await only(here)
      const { taken } = await together(
        here,
        here.engines.map(({ approvals }) => approvals.decide(say(entry, {}))),
      )
      expect(taken.map(({ result }) => result).sort()).toEqual(['already', 'decided'])
      await here.pass(5_000)
      expect(await here.executions(runId)).toEqual([
        ['ask', 1],
        ['yes', 1],
      ])
    })

    it('becomes urgent and is over at its instants, for whoever is there then', async () => {
      const here = await flow()
      const urgent = { escalates: true, escalateAmount: 1, escalateUnit: 'minutes', escalateTo: ['bob'] }
      const over = { onExpiry: 'reject', amount: 2, unit: 'minutes', approvers: ['eve'] }
      const runId = await begun(here, asking({ ...urgent, ...over }))
      await here.pass(60_000)
      const entry = await only(here)
      expect(entry.escalatedAt).not.toBeNull()
      expect(entry.approvers).toEqual(['eve', 'bob'])
      here.crash()
      await here.pass(60_000)
      await here.launch()
      await here.pass(5_000)
      expect(await here.statuses(runId)).toEqual({ ask: 'SUCCESS', no: 'SUCCESS' })
      await expect(
        here.within(here.engine.approvals.decide(say(entry, { by: 'eve' }))),
      ).rejects.toMatchObject({
        code: 'approval_already_decided',
      })
    })

    it.each(['approval.before-commit', 'approval.after-commit'] as const)(
      'whose decision dies at %s is whole or not there, for another engine too [C31]',
      async (name) => {
        const here = await flow()
        const runId = await begun(here, asking())
        const entry = await only(here)
        here.crash()
        await here.launch({ name, nth: 1 })
        const lost = here.engine.approvals.decide(say(entry, {}))
        await here.settled(lost, () => here.isDead)
        await here.launch()
        const again = await here.within(here.engine.approvals.decide(say(entry, {})))
        expect(again.result).toBe(name === 'approval.before-commit' ? 'decided' : 'already')
        await here.pass(5_000)
        expect(await here.statuses(runId)).toEqual({ ask: 'SUCCESS', yes: 'SUCCESS' })
      },
    )
  })

  describe('a policy', () => {
    const engines = (count: number) => connected((store) => new EnginesScene(store), count)
    const noop: PolicyRule['match'] = { kinds: ['noop'] }
    const recordOf = async (here: EnginesScene, run: RunId) => {
      const record = (await here.records(run)).find(({ nodeId }) => nodeId === 'a')
      if (record === undefined) throw new Error('there is no record of a')
      return record
    }

    it('denies, throttles and lets through again, whichever engine is asked [C21]', async () => {
      const here = await engines(2)
      await setRules(here, [{ id: 'no', match: noop, decision: 'DENY' }])
      const denied = await here.start(one, {}, 1)
      await here.pass(6_000)
      expect(await recordOf(here, denied)).toMatchObject({ status: 'DENIED', attempt: 0 })
      expect((await here.run(denied)).status).toBe('DENIED')
      const filter = { reason: 'safety_denied', workflowId: null, runId: null } as const
      const letters = await here.store.list(0, 'deadLetters', { filter, page: { after: null, limit: 10 } })
      expect(letters).toMatchObject([{ runId: denied, nodeId: 'a', attempts: 0 }])
      await setRules(here, [{ id: 'later', match: noop, decision: 'THROTTLE' }])
      const throttled = await here.start(one, {}, 1)
      await here.pass(6_000)
      expect(await recordOf(here, throttled)).toMatchObject({
        status: 'REROUTED',
        attempt: 0,
        waitReason: { code: 'safety_throttled' },
      })
      await setRules(here, [])
      await here.pass(6_000)
      expect(here.begun).toEqual([throttled])
      await here.end()
      await here.pass(6_000)
      expect((await here.run(throttled)).status).toBe('SUCCEEDED')
    })

    it('asks a person, and goes on or ends as they say', async () => {
      const here = await engines(1)
      await setRules(here, [{ id: 'ask', match: noop, decision: 'REQUIRE_APPROVAL' }])
      for (const [answer, status] of [
        ['approve', 'SUCCEEDED'],
        ['reject', 'DENIED'],
      ] as const) {
        const run = await here.start(one)
        await here.pass(2_000)
        const { id, wait } = await recordOf(here, run)
        if (wait?.kind !== 'approval') throw new Error('nobody is asked')
        const said = { runId: run, invocationId: id, hash: wait.hash, answer, values: null, comment: null }
        const deciding = here.engines[0]?.approvals.decide({ ...said, by: 'ann' })
        await here.pass(2_000)
        expect(await deciding).toMatchObject({ result: 'decided' })
        if (answer === 'approve') await here.end()
        await here.pass(2_000)
        expect((await here.run(run)).status).toBe(status)
      }
    })

    it('bounds how many begin in a window, and how many run at once, over all engines', async () => {
      const here = await engines(2)
      const velocity = { max: 2, windowMs: 60_000, key: 'tenant' }
      await setRules(here, [{ id: 'slow', match: noop, velocity, decision: 'THROTTLE' }])
      for (let count = 0; count < 4; count += 1) await here.start(one, {}, count % 2)
      await here.pass(50_000)
      expect(here.begun).toHaveLength(2)
      await here.pass(20_000)
      expect(here.begun).toHaveLength(4)
      while (here.atWork.length > 0) await here.end()
      const constraints = { maxConcurrent: 2 }
      await setRules(here, [{ id: 'two', match: noop, decision: 'ALLOW', constraints }])
      here.most = 0
      for (let count = 0; count < 5; count += 1) await here.start(one, {}, count % 2)
      for (let left = 5; left > 0; left -= 1) {
        await here.pass(6_000)
        expect(here.atWork).toHaveLength(Math.min(2, left))
        await here.end()
      }
      await here.pass(6_000)
      expect(here.most).toBe(2)
      const held = await here.store.list(0, 'permits', {
        filter: { prefix: 'policy:two' },
        page: { after: null, limit: 9 },
      })
      expect(held.flatMap(({ holders }) => holders)).toEqual([])
    })
  })

  describe('a result', () => {
    const judging = async (rules: readonly JsonObject[]): Promise<OutputScene> => {
      const here = await connected((store) => new OutputScene(store, { outputPolicyEnabled: true }))
      await here.setRules(rules)
      return here
    }
    const long = { text: 'x'.repeat(200) }
    const release = (here: OutputScene, run: RunId, goOn: boolean) => ({
      ...{ invocationId: here.id(run, 'a'), by: 'ada', reason: 'It is an example.', goOn },
    })

    it('that is held back ends its run, which goes on with it once it is released [C35]', async () => {
      const here = await judging([rule('quarantine', { outputSizeGt: 100, nodes: ['a'] })])
      const run = await here.play(chain, long)
      expect(run).toMatchObject({ status: 'FAILED', error: { code: 'output_quarantined' } })
      expect(await here.statuses(run.id)).toEqual({ a: 'OUTPUT_QUARANTINED' })
      expect(await here.step(run.id, 'a')).toMatchObject({ output: null })
      expect([await here.held(), (await here.letters()).length]).toEqual([[here.id(run.id, 'a')], 1])
      here.crash()
      await here.launch()
      const { quarantine } = here.engine.outputs
      const answer = await here.within(quarantine.release(release(here, run.id, true)))
      expect(answer.runStatus).toBe('RUNNING')
      await here.pass(5_000)
      expect(await here.run(run.id)).toMatchObject({ status: 'SUCCEEDED', generation: 1 })
      expect(valueOf(await here.run(run.id))).toEqual({ got: long })
      expect([await here.held(), await here.letters()]).toEqual([[], []])
    })

    const late = [rule('quarantine', { scanners: ['secret'] })]
    const key = '{ "key": "AKIA" & input }'

    it('that is found out later is taken back from all that handed it on, and released once [C35]', async () => {
      const here = await judging(late)
      here.crash()
      // Not before the run has ended.
      const gate = Promise.withResolvers<void>()
      const direct = createDirectScanner()
      const scan: typeof direct.scan = async (request) => {
        await gate.promise
        return direct.scan(request)
      }
      here.outputs = { scanner: { ...direct, scan } }
      await here.launch()
      const nodes = { a: transform(key), b: transform('input') }
      const { id, status } = await here.play({ nodes, edges: edgesOf('a>b') }, secretKey.slice(4))
      expect(status).toBe('SUCCEEDED')
      gate.resolve()
      await here.pass(5_000)
      expect(await here.statuses(id)).toEqual({ a: 'OUTPUT_QUARANTINED', b: 'OUTPUT_QUARANTINED' })
      expect(await here.seen(id)).not.toContain(secretKey)
      await here.launch()
      const both = here.engines
        .slice(-2)
        .map(({ outputs }) => outputs.quarantine.release(release(here, id, false)))
      const { taken } = await together(here, both)
      expect(taken).toHaveLength(1)
      expect(await here.seen(id)).toContain(secretKey)
    })

    it('whose scan was on its way as its engine died is scanned by another [C35]', async () => {
      const here = await judging(late)
      here.crash()
      const name = 'effect.before-delivery'
      await here.launch({ name, nth: (here.passed.get(name) ?? 0) + 1 })
      const id = await here.start({ nodes: { a: transform(key) } }, secretKey.slice(4))
      await here.pass(1_000)
      expect(here.isDead).toBe(true)
      await here.launch()
      await here.pass(130_000)
      expect(await here.statuses(id)).toEqual({ a: 'OUTPUT_QUARANTINED' })
      expect(await here.seen(id)).not.toContain(secretKey)
      expect((await here.letters()).map(({ reason }) => reason)).toEqual(['output_quarantined_async'])
    })
  })

  describe('a rollback', () => {
    const act = (here: FlowScene, runId: RunId, action: SagaAction) =>
      here.engines
        .slice(-2)
        .map(({ saga }) => saga.act({ runId, action, of: null, by: 'ada', reason: 'It is over.' }))

    it.each([
      ['attempt.before-commit', 5],
      ['attempt.after-commit', 5],
      ['attempt.effect-done', 6],
    ] as const)('whose runner dies at %s goes on with another, in order [C40]', async (name, nth) => {
      const here = await flow()
      here.crash()
      await here.launch({ name, nth })
      const started = here.start(steps)
      await here.settled(started, () => here.isDead)
      await here.pass(1_000)
      expect(here.isDead).toBe(true)
      await here.launch()
      await here.pass(120_000)
      const run = await here.run(await started)
      expect(run.status).toBe('COMPENSATED')
      const order = (await undoing(here, run.id)).map((step) => step.split(' ')[0])
      expect(order.filter((step, at) => order[at - 1] !== step)).toEqual(['c~undo', 'b~undo', 'a~undo'])
    })

    it('that fails waits for people: what two say at once is taken once, then it goes on', async () => {
      const here = await flow(2)
      const failing = { kind: 'debug', parameters: { failTimes: 9, failMessage: 'No.', retryable: false } }
      const nodes = { ...steps.nodes, b: undone('"b"', failing) }
      const run = await here.play({ ...steps, nodes })
      await here.pass(300_000)
      expect((await here.run(run.id)).status).toBe('COMPENSATION_FAILED')
      const tried = await together(here, act(here, run.id, 'retry'))
      expect(tried.taken.length).toBeGreaterThan(0)
      await here.pass(300_000)
      expect((await here.run(run.id)).status).toBe('COMPENSATION_FAILED')
      const passed = await together(here, act(here, run.id, 'skip'))
      expect([passed.taken.length, passed.refused]).toMatchObject([1, [{ code: 'rollback_not_possible' }]])
      await here.pass(10_000)
      expect((await here.run(run.id)).status).toBe('COMPENSATED')
      const { leftBehind, undone: of } = await here.within(here.engine.saga.show(run.id))
      expect(leftBehind).toMatchObject([{ nodeId: 'b', reason: 'skipped', by: 'ada' }])
      expect(of.map((id) => id.split('/').at(-1))).toEqual(['c', 'a'])
    })

    it('of a run that had succeeded is begun once, whoever else asks for it at once', async () => {
      const here = await flow(2)
      const { d: _, ...nodes } = steps.nodes
      const run = await here.play({ nodes, edges: edgesOf('a>b', 'b>c') })
      expect(run.status).toBe('SUCCEEDED')
      await together(here, act(here, run.id, 'compensate'))
      await here.pass(10_000)
      expect((await here.run(run.id)).status).toBe('COMPENSATED')
      expect(await undoing(here, run.id)).toEqual(['c~undo 1', 'b~undo 1', 'a~undo 1'])
    })
  })
})
