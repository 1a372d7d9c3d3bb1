/** What rollbacks do on every store: when they begin, in which order, after crashes, and what people answer. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { policyJson } from '../../src-engine/model/policy/policy.ts'
import type { SagaAction } from '../../src-engine/protocol/saga.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { policyOf } from '../engine/model/policy/request.ts'
import { documentOf, edgesOf } from '../engine/model/workflow-fixture.ts'
import { OutputScene, rule, transform } from '../engine/runtime/output-policy/output-scene.ts'
import { EnginesScene } from '../engine/runtime/permits/engines-scene.ts'

/** A store on which engines roll runs back. */
export interface RollbackSubject {
  readonly name: string
  readonly open: () => Promise<{
    readonly store: Store
    /** Another engine's own way to it; null where all share one. */
    readonly connect: (() => Promise<Store>) | null
    readonly close: () => Promise<void>
  }>
}

const noop = { kind: 'noop', parameters: {} }
const refuse = { kind: 'stop', parameters: { status: 'failed', message: 'The carrier refused.' } }
const waiting = { kind: 'wait-signal', parameters: { name: 'never' } }

const step = (compensation: JsonObject = { task: transform('original.output') }): JsonObject => ({
  ...transform('"done"'),
  sideEffect: 'idempotent',
  compensation,
})

/** Two steps that are undone, then the one that ends the run. */
const ending = (last: JsonObject, settings: JsonObject = {}): JsonObject => ({
  nodes: { a: step(), b: step(), c: last },
  edges: edgesOf('a>b', 'b>c'),
  settings,
})

/** How a run comes to each of its ends that may be rolled back. */
const ends: readonly {
  readonly cause: string
  readonly status: string
  readonly code: string
  readonly last: JsonObject
  readonly settings?: JsonObject
  readonly cancels?: true
}[] = [
  { cause: 'failed', status: 'FAILED', code: 'run_stopped', last: refuse },
  {
    ...{ cause: 'timed-out', status: 'TIMED_OUT', code: 'run_timed_out', last: waiting },
    settings: { timeoutMs: 30_000 },
  },
  { cause: 'cancelled', status: 'CANCELLED', code: 'run_cancelled', last: waiting, cancels: true },
  { cause: 'denied', status: 'DENIED', code: 'safety_denied', last: { kind: 'noop' } },
  {
    ...{ cause: 'quarantined', status: 'FAILED', code: 'output_quarantined' },
    last: transform('"a result that somebody holds back"'),
  },
]

class RollbackScene extends OutputScene {
  async deny(): Promise<void> {
    const policy = policyJson(policyOf([{ id: 'no', match: { kinds: ['noop'] }, decision: 'DENY' }]))
    await this.within(this.engine.policy.set({ policy, by: 'ann', note: null }))
    await this.pass(6_000)
  }

  /** Plays a run to one of its ends. */
  async endBy(end: (typeof ends)[number], settings: JsonObject): Promise<RunId> {
    if (end.cause === 'denied') await this.deny()
    if (end.cause === 'quarantined')
      await this.setRules([rule('quarantine', { outputSizeGt: 20, nodes: ['c'] })])
    const id = await this.start(ending(end.last, { ...end.settings, ...settings }))
    await this.pass(5_000)
    if (end.cancels === true) await this.within(this.engine.cancelRun(id))
    await this.pass(60_000)
    return id
  }

  async undos(run: RunId): Promise<readonly InvocationRecord[]> {
    const records = await this.store.load(0, 'invocations', { runId: run })
    return records.filter(({ role }) => role === 'compensation')
  }

  /** The steps that were undone, in the order in which that began. */
  async order(run: RunId): Promise<readonly string[]> {
    const attempts = await this.engine.attempts(run, null)
    const names = attempts
      .map(({ invocationId }) => invocationId.slice(invocationId.indexOf('/') + 1))
      .filter((name) => name.includes('~undo'))
    return names.filter((name, at) => names[at - 1] !== name)
  }

  act(runId: RunId, action: SagaAction) {
    return this.within(this.engine.saga.act({ runId, action, of: null, by: 'ada', reason: 'It is over.' }))
  }
}

export function rollbackCases(subjects: readonly RollbackSubject[]): void {
  describe.each(subjects)('rollbacks on $name', ({ open }) => {
    const scenes: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const close of scenes.splice(0)) await close()
    })
    const scene = async (outputPolicyEnabled = false): Promise<RollbackScene> => {
      const subject = await open()
      scenes.push(subject.close)
      const here = new RollbackScene(subject.store, { outputPolicyEnabled })
      here.connect = subject.connect
      await here.launch()
      return here
    }
    it('a step that is done after the run’s cancel request is undone as well', async () => {
      const subject = await open()
      scenes.push(subject.close)
      const here = new EnginesScene(subject.store)
      here.connect = subject.connect
      here.deaf = true
      await here.launch()
      const undone = { kind: 'noop', sideEffect: 'idempotent', compensation: { task: noop } } as const
      const nodes = { a: undone, b: undone }
      const id = await here.start(documentOf({ nodes, edges: edgesOf('a>b') }))
      await here.pass(1_000)
      await here.end()
      expect(here.atWork.map(({ nodeId }) => nodeId)).toEqual(['b'])
      await here.engines[0]?.cancelRun(id)
      await here.pass(1_000)
      for (const node of ['b', 'b', 'a']) {
        expect(here.atWork.map(({ nodeId }) => nodeId)).toEqual([node])
        await here.end()
        await here.pass(1_000)
      }
      expect(await here.run(id)).toMatchObject({ status: 'COMPENSATED', error: { code: 'run_cancelled' } })
    })
    describeCauses(scene)
    describeOrder(scene)
    describeCrashes(scene)
    describePeople(scene)
  })
}

type Open = (outputPolicyEnabled?: boolean) => Promise<RollbackScene>

function describeCauses(scene: Open): void {
  describe('rollbackOn', () => {
    it.each(ends)('$cause: undoes what the run did, and nothing where it isn’t named [C40]', async (end) => {
      const here = await scene(end.cause === 'quarantined')
      const id = await here.endBy(end, { rollbackOn: [end.cause] })
      expect(await here.run(id)).toMatchObject({ status: 'COMPENSATED', error: { code: end.code } })
      expect(await here.order(id)).toEqual(['b~undo', 'a~undo'])
      const others = ends.map(({ cause }) => cause).filter((cause) => cause !== end.cause)
      const kept = await here.endBy(end, { rollbackOn: others })
      expect(await here.run(kept)).toMatchObject({ status: end.status, error: { code: end.code } })
      expect(await here.order(kept)).toEqual([])
      expect((await here.undos(kept)).map(({ status }) => status)).toEqual(['WAITING', 'WAITING'])
      // Nobody is kept from wanting it later.
      await here.act(kept, 'compensate')
      await here.pass(10_000)
      expect(await here.run(kept)).toMatchObject({ status: 'COMPENSATED', error: { code: end.code } })
    })
  })
}

function describeOrder(scene: Open): void {
  it('turns of a loop go back one by one, items of a map in a parallel scope at once', async () => {
    const here = await scene()
    const nodes = {
      first: step(),
      each: { kind: 'map', parameters: { items: '[1, 2, 3]', limit: 1 } },
      inner: { kind: 'loop', parent: 'each', parameters: { mode: 'count', count: 2 } },
      pay: { ...step(), parent: 'inner' },
      turns: { kind: 'loop', parameters: { mode: 'count', count: 2 } },
      ship: { ...step(), parent: 'turns' },
      last: refuse,
    }
    const edges = edgesOf('first>each', 'each>turns', 'turns>last')
    const sagaScopes = { together: { nodes: ['each'], order: 'parallel' } }
    const run = await here.play({ nodes, edges, sagaScopes })
    await here.pass(60_000)
    expect((await here.run(run.id)).status).toBe('COMPENSATED')
    const undos = (await here.undos(run.id)).filter(({ status }) => status === 'SUCCESS')
    const place = (record: InvocationRecord) => record.dispatch?.undoes?.place ?? 0
    const began = (record: InvocationRecord) => record.dispatch?.undoes?.since ?? 0
    const of = (node: string) =>
      undos.filter(({ nodeId }) => nodeId === node).sort((a, b) => place(b) - place(a))
    expect([of('ship').length, of('pay').length, of('first').length]).toEqual([2, 6, 1])
    const names = (await here.order(run.id)).map((name) => name.split('~')[0] ?? '')
    // The later turn, then the earlier one; then all items of the map, with the turns inside; then what was before.
    expect(names.slice(0, 2)).toEqual(
      of('ship').map(({ id }) => id.split('/').slice(1).join('/').split('~')[0]),
    )
    expect(new Set(names.slice(2, 8).map((name) => name.split('@')[0]))).toEqual(new Set(['pay']))
    expect(names.at(-1)).toBe('first')
    expect(new Set(of('pay').map(began)).size).toBe(1)
  })
}

function describeCrashes(scene: Open): void {
  const places = [
    'attempt.before-execute',
    'attempt.effect-done',
    'attempt.before-commit',
    'attempt.after-commit',
  ] as const

  it.each(places)(
    'a rollback goes on where it stood after a crash at %s, and once more [C40]',
    async (name) => {
      const here = await scene()
      here.crash()
      const passed = (): number => here.passed.get(name) ?? 0
      await here.launch({ name, nth: passed() + 4 })
      const started = here.start(ending(refuse))
      await here.settled(started, () => here.isDead)
      await here.pass(2_000)
      expect(here.isDead).toBe(true)
      await here.launch({ name, nth: passed() + 1 })
      await here.pass(150_000)
      expect(here.isDead).toBe(true)
      await here.launch()
      await here.pass(150_000)
      const filter = { statuses: null, workflowId: null, includeCore: false }
      const [run] = await here.store.list(0, 'runs', { filter, page: { after: null, limit: 1 } })
      expect(run?.status).toBe('COMPENSATED')
      if (run !== undefined) expect(await here.order(run.id)).toEqual(['b~undo', 'a~undo'])
    },
  )
}

const inner = documentOf({
  id: 'inner',
  nodes: { pay: step(), note: transform('1') },
  edges: edgesOf('pay>note'),
})
const calling = {
  nodes: {
    a: step(),
    call: { kind: 'sub-workflow', parameters: { workflow: 'inner', input: '{}', mode: 'wait' } },
    c: refuse,
  },
  edges: edgesOf('a>call', 'call>c'),
}

async function runsOf(here: RollbackScene) {
  const filter = { statuses: null, workflowId: null, includeCore: false }
  const runs = await here.store.list(0, 'runs', { filter, page: { after: null, limit: 9 } })
  const child = runs.find(({ workflowId }) => workflowId === 'inner')
  const parent = runs.find(({ workflowId }) => workflowId !== 'inner')
  if (child === undefined || parent === undefined) throw new Error('two runs were started')
  return { child, parent }
}

function describePeople(scene: Open): void {
  it('what a sub-workflow did is undone before what was done before it, also after a crash', async () => {
    for (const name of [null, 'effect.before-delivery', 'effect.after-delivery'] as const) {
      const here = await scene()
      here.workflows.set('inner', { document: inner, folder: null })
      here.crash()
      // The start of the child is the first effect, its undoing the third.
      await here.launch(name === null ? null : { name, nth: 3 })
      const started = here.start(calling)
      await here.settled(started, () => here.isDead)
      await here.pass(60_000)
      expect(here.isDead).toBe(name !== null)
      if (name !== null) await here.launch()
      await here.pass(150_000)
      const { child, parent } = await runsOf(here)
      expect([child.status, parent.status]).toEqual(['COMPENSATED', 'COMPENSATED'])
      const [undone] = (await here.undos(parent.id)).filter(({ nodeId }) => nodeId === 'a')
      expect(undone?.startedAt).toBeGreaterThanOrEqual(child.finishedAt ?? Number.POSITIVE_INFINITY)
    }
  })

  it('that of a sub-workflow that fails is answered there, then in its parent', async () => {
    const here = await scene()
    const broken = { task: transform('$error("No refund.")'), retry: { maxAttempts: 1 } }
    const nodes = { ...inner.nodes, pay: step(broken) } as unknown as JsonObject
    const document = documentOf({ id: 'inner', nodes, edges: edgesOf('pay>note') })
    here.workflows.set('inner', { document, folder: null })
    const parent = await here.play(calling)
    await here.pass(60_000)
    expect((await here.run(parent.id)).status).toBe('COMPENSATION_FAILED')
    const { child } = await runsOf(here)
    expect(child.status).toBe('COMPENSATION_FAILED')
    await here.act(child.id, 'abandon')
    await here.pass(10_000)
    expect((await here.run(child.id)).status).toBe('ABANDONED')
    const { entries } = await here.within(here.engine.saga.show(parent.id))
    expect(entries).toMatchObject([
      { nodeId: 'call', state: 'failed', error: { code: 'sub_run_not_undone' } },
      { nodeId: 'a', state: 'recorded' },
    ])
    // Each try is told anew that nobody undoes that run any more.
    for (const tries of [2, 3]) {
      await here.act(parent.id, 'retry')
      await here.pass(60_000)
      expect((await here.run(parent.id)).status).toBe('COMPENSATION_FAILED')
      const tried = (await here.undos(parent.id)).filter(({ nodeId }) => nodeId === 'call')
      expect(tried.map(({ status }) => status)).toEqual(Array(tries).fill('FAILED'))
    }
    await here.act(parent.id, 'skip')
    await here.pass(10_000)
    expect((await here.run(parent.id)).status).toBe('COMPENSATED')
    expect(await here.order(parent.id)).toEqual(['a~undo'])
  })

  it('that is given up undoes nothing more, and says what stays and who wanted that', async () => {
    const here = await scene()
    const broken = step({ task: transform('$error("No refund.")'), retry: { maxAttempts: 1 } })
    const { nodes, edges } = ending(refuse)
    const run = await here.play({ nodes: { ...(nodes as JsonObject), b: broken }, edges } as JsonObject)
    await here.pass(10_000)
    expect((await here.run(run.id)).status).toBe('COMPENSATION_FAILED')
    expect(await here.act(run.id, 'abandon')).toMatchObject({ status: 'ABANDONED' })
    await here.pass(60_000)
    expect(await here.run(run.id)).toMatchObject({ status: 'ABANDONED', error: { code: 'run_stopped' } })
    const { undone, leftBehind, actions } = await here.within(here.engine.saga.show(run.id))
    expect([undone, actions]).toEqual([[], []])
    expect(leftBehind).toMatchObject([
      { nodeId: 'b', reason: 'abandoned', by: 'ada', message: 'It is over.' },
      { nodeId: 'a', reason: 'abandoned', by: 'ada' },
    ])
    expect(await here.order(run.id)).toEqual(['b~undo'])
  })
}
