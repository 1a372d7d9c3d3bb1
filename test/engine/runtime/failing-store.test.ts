/** A store that cannot answer for a while: nothing happens unseen, nothing is lost, and all of it goes on. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { RunId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { sceneStores } from '../../simulation/stores.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

/** Which calls fail now, and how many have. */
class Fault {
  fails: (name: string, given: readonly unknown[]) => boolean = () => false
  /** What is done, and never answered. */
  losesAnswer: (name: string, given: readonly unknown[]) => boolean = () => false
  /** What is sent again when its answer was lost on the way; the second says that it was there already. */
  asksTwice: (name: string, given: readonly unknown[]) => boolean = () => false
  count = 0

  over(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...given: readonly unknown[]): unknown => {
          if (this.losesAnswer(String(name), given)) {
            this.count += 1
            return (Reflect.apply(member, target, given) as Promise<unknown>).then(() => {
              throw new SagasmithError('store_failed')
            })
          }
          if (this.asksTwice(String(name), given)) {
            this.count += 1
            return (Reflect.apply(member, target, given) as Promise<unknown>).then((): unknown =>
              Reflect.apply(member, target, given),
            )
          }
          if (!this.fails(String(name), given)) return Reflect.apply(member, target, given)
          this.count += 1
          return Promise.reject(new SagasmithError('store_failed'))
        }
      },
    })
  }
}

/** A commit in which an invocation gets that status. */
const enters =
  (status: string) =>
  (name: string, given: readonly unknown[]): boolean =>
    name === 'commit' &&
    (given[1] as readonly Checkpoint[]).some(({ events }) =>
      events.some(({ body }) => body.type === 'invocation.changed' && body.to === status),
    )

/** A commit that makes a run. */
const begins = (name: string, given: readonly unknown[]): boolean =>
  name === 'commit' &&
  (given[1] as readonly Checkpoint[]).some(({ events }) =>
    events.some(({ body }) => body.type === 'run.created'),
  )

/** What came of a call until now. */
function heard(call: Promise<unknown> | undefined): { answer: string } {
  const heardOf = { answer: 'nothing yet' }
  call?.then(
    (value) => {
      heardOf.answer = typeof value === 'string' ? value : 'done'
    },
    () => {
      heardOf.answer = 'refused'
    },
  )
  return heardOf
}

const outageMs = 20_000
/** They may act, so each begins when that is durable; what doesn't wait is in run-ahead.test.ts. */
const steps = (...ids: readonly string[]): JsonObject =>
  Object.fromEntries(ids.map((id) => [id, { kind: 'noop', sideEffect: 'idempotent' }]))

describe.each(Object.entries(sceneStores))('a failing store (%s)', (_name, open) => {
  const scene = async (settings = {}): Promise<{ here: EnginesScene; fault: Fault }> => {
    const fault = new Fault()
    const here = new EnginesScene(fault.over(await open()))
    scenes.push(here)
    await here.launch(settings)
    return { here, fault }
  }
  const letters = (here: EnginesScene) =>
    here.store.list(0, 'deadLetters', {
      filter: { reason: null, workflowId: null, runId: null },
      page: { after: null, limit: 10 },
    })

  it('that cannot be read dispatches nothing, and all of it later [C2]', async () => {
    const { here, fault } = await scene({ maxConcurrentTasks: 1 })
    await here.start(documentOf({ nodes: steps('a') }))
    const waiting = await here.start(documentOf({ nodes: steps('a') }))
    await here.pass(10)
    fault.fails = (name) => ['load', 'list', 'fetch', 'claim', 'listDue', 'listExpired'].includes(name)
    await here.end()
    await here.pass(outageMs)
    expect(fault.count).toBeGreaterThan(0)
    expect(here.begun).not.toContain(waiting)
    fault.fails = () => false
    await here.pass(outageMs)
    expect(here.begun).toContain(waiting)
    await here.end()
    expect((await here.run(waiting)).status).toBe('SUCCEEDED')
  })

  it('that loses the answer to a claim does not keep the work until its lease runs out', async () => {
    const claimTtlMs = 300_000
    const { here, fault } = await scene({ maxConcurrentTasks: 1, claimTtlMs })
    await here.start(documentOf({ nodes: steps('a') }))
    // With a permit it is claimed by the store, whatever runs are at hand.
    const limited = { a: { kind: 'noop', concurrency: { running: 'TASK', limit: 9 } } }
    const waiting = await here.start(documentOf({ nodes: limited }))
    await here.pass(10)
    fault.losesAnswer = (name) => name === 'claim' && fault.count === 0
    await here.end()
    await here.pass(1_000)
    expect([fault.count, await here.statuses(waiting)]).toEqual([1, ['PENDING']])
    await here.pass(claimTtlMs / 8)
    expect(here.begun.filter((run) => run === waiting)).toHaveLength(1)
    await here.end()
    expect((await here.run(waiting)).status).toBe('SUCCEEDED')
  })

  it.each(['losesAnswer', 'asksTwice'] as const)(
    'that %s at a step’s begin, or end, has the runner execute what is its own by then',
    async (how) => {
      const claimTtlMs = 300_000
      const { here, fault } = await scene({ maxConcurrentTasks: 1, claimTtlMs })
      const nodes = steps('a', 'b')
      await here.start(documentOf({ nodes: steps('a') }))
      const waiting = await here.start(documentOf({ nodes, edges: edgesOf('a>b') }))
      await here.pass(10)
      fault[how] = (...call) => fault.count === 0 && enters('RUNNING')(...call)
      await here.end()
      await here.pass(1_000)
      expect([fault.count, await here.statuses(waiting)]).toEqual([1, ['RUNNING']])
      expect(here.begun.filter((run) => run === waiting)).toHaveLength(1)
      // The end of one step is the beginning of the next.
      fault[how] = (...call) => fault.count === 1 && enters('SUCCESS')(...call)
      await here.end()
      await here.pass(1_000)
      expect([fault.count, await here.statuses(waiting)]).toEqual([2, ['SUCCESS', 'RUNNING']])
      expect(here.begun.filter((run) => run === waiting)).toHaveLength(2)
      await here.end()
      expect((await here.run(waiting)).status).toBe('SUCCEEDED')
    },
  )

  it.each(['losesAnswer', 'asksTwice'] as const)(
    'that %s at a run’s start has the runner execute its first steps',
    async (how) => {
      const { here, fault } = await scene({ claimTtlMs: 300_000 })
      fault[how] = (...call) => fault.count === 0 && begins(...call)
      const started = heard(here.start(documentOf({ nodes: steps('a') })))
      await here.pass(1_000)
      expect([fault.count, started.answer === 'nothing yet']).toEqual([1, false])
      expect(here.atWork).toHaveLength(1)
      await here.end()
      expect(here.begun).toHaveLength(1)
      const [run] = here.begun
      expect((await here.run(run as RunId)).status).toBe('SUCCEEDED')
    },
  )

  it.each(['losesAnswer', 'asksTwice'] as const)(
    'that %s at starts of the same request has the runner execute the first steps once',
    async (how) => {
      const { here, fault } = await scene({ claimTtlMs: 300_000 })
      const [engine] = here.engines
      const document = documentOf({ nodes: steps('a', 'b') })
      const request = { document, input: {}, requestId: 'twice', baseDirectory: null }
      fault[how] = (...call) => begins(...call)
      const all = [1, 2, 3].map(() => heard(engine?.startRun(request)))
      await here.pass(1_000)
      fault[how] = () => false
      expect(fault.count).toBeGreaterThan(0)
      expect(all.map(({ answer }) => answer)).not.toContain('nothing yet')
      expect(here.begun).toHaveLength(2)
      await here.end()
      await here.end()
      const [run] = here.begun
      expect((await here.run(run as RunId)).status).toBe('SUCCEEDED')
      expect(here.begun).toHaveLength(2)
    },
  )

  it('that cannot record a claim executes nothing, and the work stays where it was [C3] [C5]', async () => {
    const { here, fault } = await scene({ maxConcurrentTasks: 1 })
    await here.start(documentOf({ nodes: steps('a') }))
    const waiting = await here.start(documentOf({ nodes: steps('a') }))
    await here.pass(10)
    fault.fails = (name, given) => name === 'claim' || enters('PENDING')(name, given)
    await here.end()
    await here.pass(outageMs)
    expect(fault.count).toBeGreaterThan(0)
    expect(here.begun).not.toContain(waiting)
    expect(await here.statuses(waiting)).toEqual(['REGISTERED'])
    fault.fails = () => false
    await here.pass(outageMs)
    expect(here.begun.filter((run) => run === waiting)).toHaveLength(1)
    await here.end()
    expect((await here.run(waiting)).status).toBe('SUCCEEDED')
  })

  it('that cannot record the begin executes nothing until it can, and then once [C4]', async () => {
    const { here, fault } = await scene()
    fault.fails = enters('RUNNING')
    const run = await here.start(documentOf({ nodes: steps('a') })).catch(() => null)
    await here.pass(outageMs)
    expect(here.begun).toEqual([])
    fault.fails = () => false
    const started = run ?? (await here.start(documentOf({ nodes: steps('a') })))
    await here.pass(4 * outageMs)
    expect(here.begun).toEqual([started])
    await here.end()
    expect((await here.run(started)).status).toBe('SUCCEEDED')
    expect(await here.store.load(0, 'attempts', { runId: started, invocationId: null })).toHaveLength(1)
  })

  it('that cannot take a result keeps the step open, and takes it later, once [C6]', async () => {
    const { here, fault } = await scene()
    const run = await here.start(documentOf({ nodes: steps('a', 'b'), edges: edgesOf('a>b') }))
    await here.pass(10)
    fault.fails = enters('SUCCESS')
    await here.end()
    await here.pass(outageMs)
    expect(fault.count).toBeGreaterThan(0)
    expect(await here.statuses(run)).toEqual(['RUNNING'])
    fault.fails = () => false
    await here.pass(outageMs)
    expect(await here.statuses(run)).toEqual(['SUCCESS', 'RUNNING'])
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(here.begun).toEqual([run, run])
  })

  it('that cannot take a dead letter has no end without one either; both come later [C13]', async () => {
    const { here, fault } = await scene()
    const run = await here.start(documentOf({ nodes: steps('a') }))
    await here.pass(10)
    fault.fails = (name, given) =>
      name === 'commit' &&
      (given[1] as readonly Checkpoint[]).some(({ writes }) => writes.deadLetters.length > 0)
    await here.end(new SagasmithError('csv_invalid'))
    await here.pass(outageMs)
    expect(fault.count).toBeGreaterThan(0)
    expect(await here.statuses(run)).toEqual(['RUNNING'])
    expect(await letters(here)).toEqual([])
    fault.fails = () => false
    await here.pass(outageMs)
    expect(await here.statuses(run)).toEqual(['FAILED'])
    expect(await letters(here)).toMatchObject([{ runId: run, reason: 'csv_invalid' }])
  })

  it('leaves an end as it is when its dead letter cannot be settled [C14]', async () => {
    const { here, fault } = await scene()
    const run = await here.start(documentOf({ nodes: steps('a') }))
    await here.pass(10)
    await here.end(new SagasmithError('csv_invalid'))
    await here.pass(10)
    const before = await here.run(run)
    const [letter] = await letters(here)
    fault.fails = (name) => name === 'commit'
    const discarded = heard(here.engines[0]?.deadLetters.discard(letter?.id ?? '', null))
    await here.pass(1_000)
    expect(fault.count).toBeGreaterThan(0)
    expect(discarded.answer).not.toBe('done')
    expect(await here.run(run)).toEqual(before)
    expect(await letters(here)).toHaveLength(1)
    fault.fails = () => false
    await here.pass(outageMs)
    const { status, error, finishedAt } = before
    expect(await here.run(run)).toMatchObject({ status, error, finishedAt })
  })

  it('acknowledges no signal that it has not kept, and keeps it once however often it is sent [C49]', async () => {
    const { here, fault } = await scene()
    const run = await here.start(documentOf({ nodes: steps('a') }))
    await here.pass(10)
    const signal = { runId: run, name: 'go', correlation: null, messageId: 'm1', payload: 1 }
    const send = async () => (await here.engines[0]?.sendSignal(signal))?.outcome ?? ''
    fault.fails = (name) => name === 'commit'
    const sent = heard(send())
    await here.pass(1_000)
    expect(fault.count).toBeGreaterThan(0)
    expect(['nothing yet', 'refused']).toContain(sent.answer)
    expect((await here.run(run)).signals).toEqual([])
    fault.fails = () => false
    await here.pass(outageMs)
    const again = heard(send())
    await here.pass(1_000)
    expect([sent.answer, again.answer].filter((answer) => answer === 'kept')).toHaveLength(1)
    const third = heard(send())
    await here.pass(1_000)
    expect(third.answer).toBe('repeated')
    expect((await here.run(run)).signals).toHaveLength(1)
    await here.end()
  })

  it('keeps the reconciler waiting, which then gives the reason that was recorded first [C62]', async () => {
    const { here, fault } = await scene({ runningTimeoutMs: 100_000 })
    const late = await here.start(documentOf({ nodes: steps('a') }))
    const failed = await here.start(documentOf({ nodes: steps('a') }))
    await here.pass(10)
    here.atWork.find(({ runId }) => runId === failed)?.end(new SagasmithError('csv_invalid'))
    await here.pass(10)
    fault.fails = (name) => name === 'load' || name === 'list'
    await here.pass(150_000)
    fault.fails = () => false
    expect(await here.statuses(late)).toEqual(['RUNNING'])
    await here.pass(120_000)
    expect(await here.statuses(late)).toEqual(['TIMEOUT'])
    expect(await here.run(failed)).toMatchObject({ status: 'FAILED', error: { code: 'csv_invalid' } })
    const told = await letters(here)
    expect(new Map(told.map(({ runId, reason }) => [runId, reason]))).toEqual(
      new Map([
        [failed, 'csv_invalid'],
        [late, 'running_timeout'],
      ]),
    )
    expect(told).toHaveLength(2)
  })
})
