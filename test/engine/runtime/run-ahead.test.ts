/** Pure steps don't wait for the commit that claims them, others do; and what ran in vain leaves nothing. */

import { afterEach, describe, expect, it } from 'vitest'
import { compileWorkflow } from '../../../src-engine/core/compile.ts'
import type { Checkpoint, CommitRefusal } from '../../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { invocationId, runId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { createExecutions } from '../../../src-engine/runtime/execution.ts'
import { createRunAhead } from '../../../src-engine/runtime/run-ahead.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { simulationStores } from '../../simulation/stores.ts'
import { readHistory } from '../../support/history.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

/** Whether a step ended with it. */
const isEnd = ({ events }: Checkpoint): boolean =>
  events.some(({ body }) => body.type === 'invocation.changed' && body.to === 'SUCCESS')

/** Whether a run begins with it. */
const isStart = ({ opId }: Checkpoint): boolean => opId.startsWith('start:')

/** A store whose commits of ends, or of what else the test names, wait or fail as long as it says so. */
class Gate {
  isShut = false
  concerns = isEnd
  refuses: CommitRefusal | null = null
  fails = 0
  /** Ends that were asked to be committed, one entry per checkpoint: how many are in it. */
  readonly ends: number[] = []
  readonly #waiting: (() => void)[] = []

  open(): void {
    this.isShut = false
    for (const go of this.#waiting.splice(0)) go()
  }

  over(store: Store): Store {
    const commit: Store['commit'] = async (partition, checkpoints) => {
      for (const { events } of checkpoints.filter(isEnd))
        this.ends.push(events.filter(({ body }) => 'to' in body && body.to === 'SUCCESS').length)
      if (!checkpoints.some(this.concerns)) return store.commit(partition, checkpoints)
      if (this.isShut) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      if (this.fails > 0) {
        this.fails -= 1
        throw new SagasmithError('store_failed')
      }
      const { refuses } = this
      if (refuses !== null) return checkpoints.map(() => ({ kind: 'refused', refusal: refuses }))
      return store.commit(partition, checkpoints)
    }
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'commit') return commit
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `s${index}`)

const chainOf = (ids: readonly string[], parts: JsonObject = {}) =>
  documentOf({
    nodes: Object.fromEntries(ids.map((id) => [id, { kind: 'noop', ...parts }])),
    edges: edgesOf(...ids.slice(1).map((id, index) => `${ids[index]}>${id}`)),
  })

/** The same, of which one run is under way at a time. */
const limited = (document: WorkflowDocument): WorkflowDocument => ({
  ...document,
  settings: { concurrency: { limit: 1 } },
})

/** Those that are durable. */
const runsOf = async (store: Store) => (await readHistory(store)).runs

/** Time stands still while the store is asked: what doesn't wait for it has happened after some turns of the loop. */
async function turns(count = 20): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Ends what runs, and what follows it, in one turn of the event loop. */
async function endInTurn(here: EnginesScene, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    for (let tries = 0; here.atWork.length === 0 && tries < 200; tries += 1) await Promise.resolve()
    const [oldest] = here.atWork
    if (oldest === undefined) return
    oldest.end()
  }
}

it('nothing of a step begins ahead while something of it is under way: a turn whose end is on its way', () => {
  const workflow = compileWorkflow(chainOf(['a']), taskSpecsByKind)
  const [run, id] = [runId('run_1'), invocationId('run_1/a')]
  const lease = { runnerId: 'r', fence: { epoch: 1, counter: 2 }, expiresAt: 1 }
  const record = { id, runId: run, nodeId: 'a', role: 'forward', path: '', lease }
  const executions = createExecutions()
  const ahead = createRunAhead({
    executions,
    book: { cachedState: () => ({ workflow }) as never, inFlight: () => 1 },
    host: { specsByKind: taskSpecsByKind },
  })
  const decision = { started: [record] } as never
  const before = executions.open({ runId: run, invocationId: id, fence: { epoch: 1, counter: 1 } })
  expect(ahead.begin(decision)).toEqual([])
  expect([executions.all(), ahead.confirm(decision)]).toEqual([[before], [record]])
  executions.close(before)
  expect(ahead.begin(decision).map(({ execution }) => execution.fence.counter)).toEqual([2])
})

describe.each(Object.entries(simulationStores))('ahead of a commit (%s)', (_name, open) => {
  const scene = async (settings = {}): Promise<{ here: EnginesScene; gate: Gate }> => {
    const gate = new Gate()
    const here = new EnginesScene(gate.over(await open()))
    scenes.push(here)
    await here.launch(settings)
    return { here, gate }
  }

  it('a pure step begins while its claim is under way, and is seen once that is durable', async () => {
    const { here, gate } = await scene()
    const run = await here.start(chainOf(['a', 'b']))
    await here.pass(10)
    gate.isShut = true
    here.atWork[0]?.end()
    await turns()
    expect(here.begun).toEqual([run, run])
    expect(await here.statuses(run)).toEqual(['RUNNING'])
    gate.open()
    await here.pass(10)
    expect(await here.statuses(run)).toEqual(['SUCCESS', 'RUNNING'])
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(here.begun).toHaveLength(2)
  })

  it.each(['idempotent', 'keyed', 'unsafe'])('a step that is %s waits for it', async (sideEffect) => {
    const { here, gate } = await scene()
    const run = await here.start(chainOf(['a', 'b'], { sideEffect }))
    await here.pass(10)
    gate.isShut = true
    here.atWork[0]?.end()
    await turns()
    expect(here.begun).toEqual([run])
    gate.open()
    await here.pass(10)
    expect(here.begun).toEqual([run, run])
  })

  it.each([
    ['an event, which another cluster may be told of', 'emit-event', { name: 'done' }],
    ['a circuit breaker, whose probe others know of', 'circuit-breaker', {}],
    ['what is of another kind than its step says', 'http-request', { url: 'https://example.test' }],
  ])('%s waits for it, though it is pure', async (_what, kind, parameters) => {
    const { here, gate } = await scene()
    const inside = kind === 'circuit-breaker' ? { c: { kind: 'noop', parent: 'b' } } : {}
    const nodes = { a: { kind: 'noop' }, b: { kind, parameters, sideEffect: 'pure' }, ...inside }
    const run = await here.start(documentOf({ nodes, edges: edgesOf('a>b') }))
    await here.pass(10)
    gate.isShut = true
    here.atWork[0]?.end()
    await turns()
    expect(here.begun).toEqual([run])
    gate.open()
    await here.pass(10)
    expect(here.begun).toEqual([run, run])
  })

  it('what began ahead of a commit that failed is given up, begins again when it is durable, and is recorded once', async () => {
    const { here, gate } = await scene()
    const run = await here.start(chainOf(['a', 'b']))
    await here.pass(10)
    gate.isShut = true
    gate.fails = 3
    here.atWork[0]?.end()
    await turns()
    const ahead = here.atWork[0]
    gate.open()
    await here.pass(20_000)
    // Tried ahead once: a store that fails may do so again.
    expect(here.begun).toHaveLength(3)
    ahead?.end()
    await here.pass(10)
    expect(await here.statuses(run)).toEqual(['SUCCESS', 'RUNNING'])
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    const attempts = await here.store.load(0, 'attempts', { runId: run, invocationId: null })
    expect(attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'succeeded'],
      [1, 'succeeded'],
    ])
  })

  it('an end of what was given up is not recorded, though its step is being done again', async () => {
    const { here, gate } = await scene()
    here.deaf = true
    const run = await here.start(chainOf(['a', 'b']))
    await here.pass(10)
    gate.isShut = true
    gate.fails = 1
    here.atWork[0]?.end()
    await turns()
    const [ahead] = here.atWork
    gate.open()
    await here.pass(5_000)
    expect(here.atWork).toHaveLength(2)
    ahead?.end()
    await here.pass(10)
    expect(await here.statuses(run)).toEqual(['SUCCESS', 'RUNNING'])
    here.atWork[0]?.end()
    await here.pass(10)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('what ends in one turn is one checkpoint', async () => {
    const { here, gate } = await scene()
    const run = await here.start(chainOf(names(6)))
    await here.pass(10)
    await endInTurn(here, 6)
    await here.pass(10)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(gate.ends).toEqual([6])
    expect(await here.history(run)).toEqual(names(6).flatMap(() => ['PENDING', 'RUNNING', 'SUCCESS']))
  })

  it('a long chain is so far ahead, and no further', async () => {
    const { here, gate } = await scene()
    const run = await here.start(chainOf(names(40)))
    await here.pass(10)
    gate.isShut = true
    await endInTurn(here, 40)
    await turns()
    // The end of the seventeenth is sent when those before it are durable.
    expect(here.begun).toHaveLength(17)
    gate.open()
    for (let round = 0; round < 10 && (await here.run(run)).status !== 'SUCCEEDED'; round += 1) {
      await endInTurn(here, 40)
      await here.pass(10)
    }
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(Math.max(...gate.ends)).toBeLessThanOrEqual(17)
  })

  const begun = async (
    document: WorkflowDocument,
    {
      requestId = null,
      isKnown = true,
    }: { readonly requestId?: string | null; readonly isKnown?: boolean } = {},
  ) => {
    const { here, gate } = await scene()
    if (isKnown) {
      await here.start(document)
      await endInTurn(here, 9)
      await here.pass(10)
    }
    here.begun.length = gate.ends.length = 0
    gate.concerns = (checkpoint) => isStart(checkpoint) || isEnd(checkpoint)
    gate.isShut = true
    const started = here.engines[0]?.startRun({ document, input: {}, requestId, baseDirectory: null })
    if (started === undefined) throw new Error('there is no engine')
    const known = started.then(
      ({ runId: id }) => id,
      (thrown: unknown) => thrown as SagasmithError,
    )
    await turns()
    return { here, gate, known }
  }

  it('the steps of a new run that are pure begin while its beginning is under way', async () => {
    const { here, gate, known } = await begun(chainOf(names(3)))
    expect(here.begun).toHaveLength(1)
    await endInTurn(here, 3)
    await turns()
    expect(await runsOf(here.store)).toHaveLength(1)
    gate.open()
    const run = (await here.within(known)) as RunId
    await here.pass(10)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(gate.ends).toEqual([3])
    expect(here.begun).toHaveLength(3)
  })

  it.each([
    ['a step that acts', chainOf(['a'], { sideEffect: 'keyed' }), {}],
    ['a run that somebody else may have begun', chainOf(['a']), { requestId: 'order-1' }],
    ['a run that needs a permit', limited(chainOf(['a'])), {}],
    ['a run whose definition is written first', chainOf(['a']), { isKnown: false }],
  ])('%s waits for it', async (_what, document, how) => {
    const { here, gate, known } = await begun(document, how)
    expect(here.begun).toEqual([])
    gate.open()
    await here.within(known)
    await here.pass(10)
    expect(here.begun).toHaveLength(1)
    await here.end()
    expect((await here.run((await known) as RunId)).status).toBe('SUCCEEDED')
  })

  it('of a run whose beginning is refused nothing is left but the word of it', async () => {
    const { here, gate, known } = await begun(chainOf(names(3)))
    const log: string[] = []
    here.log = { ...here.log, error: (event) => log.push(event) }
    await endInTurn(here, 2)
    gate.refuses = { kind: 'lost-race', record: 'run', previous: null, expected: null, actual: null }
    gate.open()
    expect(await here.within(known)).toMatchObject({ code: 'lost_race' })
    await here.pass(1_000)
    expect([here.atWork, log]).toEqual([[], []])
    expect(await runsOf(here.store)).toHaveLength(1)
    // All slots are free again.
    gate.refuses = null
    const run = await here.start(chainOf(['a']))
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('a beginning of which nobody knows whether it is there is taken up, and each step is recorded once', async () => {
    const { here, gate, known } = await begun(chainOf(['a', 'b']))
    gate.fails = 1
    await endInTurn(here, 1)
    gate.open()
    expect(await here.within(known)).toMatchObject({ code: 'store_failed' })
    await here.pass(60_000)
    expect(await runsOf(here.store)).toHaveLength(1)
    expect(here.atWork).toEqual([])
  })

  /** A run's only step, claimed from the queue while commits that begin steps wait. */
  const claimed = async (parts: JsonObject = {}) => {
    const { here, gate } = await scene({ maxConcurrentTasks: 1 })
    await here.start(chainOf(['a'], parts))
    const run = await here.start(chainOf(['a'], parts))
    await here.pass(10)
    here.begun.length = 0
    // Of several partitions a step without permits is claimed by the commit that begins it.
    const isOne = here.store.info.partitions.length > 1 && parts['concurrency'] === undefined
    gate.concerns = ({ opId }) => opId.startsWith(isOne ? 'take:' : 'begin:')
    gate.isShut = true
    here.atWork[0]?.end()
    await turns(60)
    expect(await here.statuses(run)).toEqual([isOne ? 'REGISTERED' : 'PENDING'])
    return { here, gate, run }
  }

  it('a pure step that was claimed begins while its beginning is under way, and its end goes with it', async () => {
    const { here, gate, run } = await claimed()
    expect(here.begun).toEqual([run])
    gate.open()
    await here.pass(10)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(here.begun).toEqual([run])
  })

  it.each([
    ['one that acts', { sideEffect: 'keyed' }],
    ['one whose permit may be somebody else’s by then', { concurrency: { running: 'ARGUMENTS', limit: 1 } }],
  ])('%s waits for it', async (_what, parts) => {
    const { here, gate, run } = await claimed(parts)
    expect(here.begun).toEqual([])
    gate.open()
    await here.pass(10)
    expect(here.begun).toEqual([run])
  })

  it('what was claimed and began in vain keeps its slot, and begins anew', async () => {
    const { here, gate, run } = await claimed()
    gate.fails = 2
    gate.open()
    await here.pass(20_000)
    expect(here.begun.length).toBeGreaterThan(1)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    here.begun.length = 0
    const [next] = [await here.start(chainOf(['a'])), await here.start(chainOf(['a']))]
    await here.pass(10)
    expect([here.begun, here.most]).toEqual([[next], 1])
  })
})
