/** What an engine saw before a failover counts no more: a partition that lost some of it gives the same versions again. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import { definitionHash, opId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { second } from '../../../src-engine/model/time.ts'
import type { WorkflowVersion } from '../../../src-engine/model/workflow-version.ts'
import { createDefinitions } from '../../../src-engine/runtime/definitions.ts'
import type { Records } from '../../../src-engine/store/memory/memory-records.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { completed } from '../../../src-engine/tasks/task.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'
import { FlowScene } from './control-flow/flow-scene.ts'
import { aFailingOverStore } from './failed-over-store.ts'
import { EnginesScene } from './permits/engines-scene.ts'

const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

function aStore() {
  const scene = aFailingOverStore()
  stores.push(scene.store)
  return scene
}

const onlyRun = ({ runs }: Records): RunRecord => {
  const [run] = runs.values()
  if (run === undefined) throw new Error('there is no run')
  return run
}

it('a run in memory is looked at again, though its version is still the same', async () => {
  const { records, store, failOver } = aStore()
  const here = new EnginesScene(store)
  await here.launch()
  const id = await here.start(
    documentOf({ nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } }, edges: edgesOf('a>b') }),
  )
  await here.pass(second)
  // Somebody else has made the run's last change in another way, for the first was lost.
  records.runs.set(id, { ...onlyRun(records), tenant: 'another' })
  failOver()
  await here.end()
  await here.end()
  expect(await here.run(id)).toMatchObject({ status: 'SUCCEEDED', tenant: 'another' })
})

describe('a start whose answer was lost', () => {
  /** Its first commit of a run is made, and not answered; a failover may come while that is confirmed. */
  const unsure = async (confirm: (scene: ReturnType<typeof aStore>) => void) => {
    const scene = aStore()
    const { store } = scene
    let lost = 0
    let confirmed = 0
    const here = new EnginesScene({
      ...store,
      commit: async (partition, checkpoints) => {
        const answers = await store.commit(partition, checkpoints)
        const begins = checkpoints.some(({ opId }) => opId.startsWith('start:'))
        if (begins && (lost += 1) === 1) throw new SagasmithError('store_failed')
        return answers
      },
      confirm: async () => {
        expect(here.atWork).toEqual([])
        if ((confirmed += 1) === 1) confirm(scene)
      },
    })
    await here.launch()
    const step = { kind: 'noop', sideEffect: 'idempotent' }
    const started = here.start(documentOf({ nodes: { a: step } }))
    await expect(started).rejects.toMatchObject({ code: 'store_failed' })
    await here.pass(10 * second)
    return { here, confirmed: () => confirmed }
  }

  it('is executed once it is safe', async () => {
    const { here, confirmed } = await unsure(() => undefined)
    expect([here.begun.length, confirmed()]).toEqual([1, 1])
  })

  it('is confirmed again where that failed', async () => {
    const { here, confirmed } = await unsure(() => {
      throw new SagasmithError('store_failed')
    })
    expect([here.begun.length, confirmed()]).toEqual([1, 2])
  })

  it('is not executed where a failover took it back', async () => {
    const { here, confirmed } = await unsure(({ records, failOver }) => {
      records.runs.clear()
      records.invocations.clear()
      failOver()
    })
    expect([here.begun.length, confirmed()]).toEqual([0, 1])
  })
})

it.each([true, false])(
  'a version that somebody published is built on once it is safe (it is: %s)',
  async (isSafe) => {
    const { records, store, failOver } = aStore()
    const hash = definitionHash('w_1')
    records.workflowVersions.set(hash, { hash } as WorkflowVersion)
    const asked: (string | null)[] = []
    const confirm = async (of: string | null): Promise<void> => {
      asked.push(of)
      if (isSafe) return
      records.workflowVersions.clear()
      failOver()
    }
    const definitions = createDefinitions({ ...store, confirm }, 0, {
      specsByKind: new Map(),
      clock: { after: () => () => {} },
    })
    expect(await definitions.isPublished(hash)).toBe(isSafe)
    expect(await definitions.isPublished(hash)).toBe(isSafe)
    expect(asked).toEqual([null])
  },
)

it.each(['run', 'step'])(
  'a %s that a failover took back is brought back before an end of it is given up',
  async (lost) => {
    const { records, store, failOver } = aStore()
    let bringBack = (): void => undefined
    const here = new EnginesScene({ ...store, confirm: async () => bringBack() })
    await here.launch()
    const step = { kind: 'noop', sideEffect: 'idempotent' }
    const id = await here.start(documentOf({ nodes: { a: step } }))
    await here.pass(second)
    const [run, steps] = [onlyRun(records), [...records.invocations]]
    const back = (): void => {
      records.runs.set(id, run)
      for (const [key, record] of steps) records.invocations.set(key, record)
    }
    if (lost === 'run') records.runs.clear()
    records.invocations.clear()
    failOver()
    // Its author has met that epoch, and is about to.
    bringBack = back
    await here.end()
    await here.pass(second)
    expect((await here.run(id)).status).toBe('SUCCEEDED')
    expect(here.begun).toHaveLength(1)
  },
)

it('the result of the same demand is handed on once it is safe', async () => {
  const { records, store, failOver } = aStore()
  let before: Records | null = null
  const here = new EnginesScene({
    ...store,
    confirm: async () => {
      if (before === null) return
      // No replica had the end of it.
      for (const [key, record] of before.invocations) records.invocations.set(key, record)
      for (const [key, run] of before.runs) records.runs.set(key, run)
      before = null
      failOver()
    },
  })
  await here.launch({ maxConcurrentTasks: 1 })
  await here.start(documentOf({ nodes: { a: { kind: 'noop' } } }))
  const document = documentOf({
    nodes: { a: { kind: 'noop', sideEffect: 'idempotent', concurrency: { registration: 'TASK' } } },
  })
  const [first, second] = [await here.start(document), await here.start(document)]
  await here.end()
  before = { ...records, invocations: new Map(records.invocations), runs: new Map(records.runs) }
  await here.end()
  expect(before).toBeNull()
  expect([await here.statuses(first), await here.statuses(second)]).toEqual([['RUNNING'], ['WAITING']])
})

it('what a step gave before is taken over once it is safe', async () => {
  const { records, store, failOver } = aStore()
  let isLost = false
  const here = new FlowScene({
    ...store,
    confirm: async () => {
      if (!isLost) return
      isLost = false
      for (const [key, { status }] of records.invocations)
        if (status === 'SUCCESS') records.invocations.delete(key)
      failOver()
    },
  })
  let count = 0
  here.instead.set('ask-model', { execute: async () => completed((count += 1)) })
  await here.launch()
  const ask = { kind: 'ask-model', parameters: { model: 'm' }, cache: { ttlMs: 60_000 } }
  for (const expected of [1, 1]) {
    await here.play({ nodes: { ask } })
    expect(count).toBe(expected)
  }
  isLost = true
  await here.play({ nodes: { ask } })
  expect([count, isLost]).toEqual([2, false])
})

it('work goes on whose claim a failover takes back for a moment', async () => {
  const { records, store, failOver } = aStore()
  let bringBack = (): void => undefined
  const here = new EnginesScene({ ...store, confirm: async () => bringBack() })
  await here.launch()
  const id = await here.start(documentOf({ nodes: { a: { kind: 'noop', sideEffect: 'idempotent' } } }))
  await here.pass(second)
  const [run, steps] = [onlyRun(records), [...records.invocations]]
  records.runs.clear()
  records.invocations.clear()
  failOver()
  bringBack = () => {
    records.runs.set(id, run)
    for (const [key, record] of steps) records.invocations.set(key, record)
    bringBack = () => undefined
  }
  await here.pass(20 * second)
  expect(here.atWork).toHaveLength(1)
  await here.end()
  expect((await here.run(id)).status).toBe('SUCCEEDED')
  expect(here.begun).toHaveLength(1)
})

it('work whose claim is lost, and nobody can confirm that, is stopped; other work goes on', async () => {
  const { records, store, failOver } = aStore()
  const confirm = () => Promise.reject(new SagasmithError('store_failed'))
  const here = new EnginesScene({ ...store, confirm })
  await here.launch()
  const document = documentOf({ nodes: { a: { kind: 'noop', sideEffect: 'idempotent' } } })
  const [lost, kept] = [await here.start(document), await here.start(document)]
  await here.pass(second)
  records.runs.delete(lost)
  for (const [key, { runId }] of records.invocations) if (runId === lost) records.invocations.delete(key)
  failOver()
  await here.pass(60 * second)
  expect(here.atWork.map(({ runId }) => runId)).toEqual([kept])
})

it('what was claimed begins though a failover takes it back for a moment', async () => {
  const { records, store, failOver } = aStore()
  let bringBack = (): void => undefined
  const here = new EnginesScene({
    ...store,
    confirm: async () => bringBack(),
    claim: async (request) => {
      const answer = await store.claim(request)
      const [first] = answer.claimed
      if (first === undefined) return answer
      const { run, invocation } = first
      bringBack = () => {
        records.runs.set(run.id, run)
        records.invocations.set(invocation.id, invocation)
      }
      records.runs.delete(run.id)
      records.invocations.delete(invocation.id)
      failOver()
      return answer
    },
  })
  await here.launch({ maxConcurrentTasks: 1 })
  const step = { kind: 'noop', sideEffect: 'idempotent' }
  await here.start(documentOf({ nodes: { a: step } }))
  const waiting = await here.start(documentOf({ nodes: { a: step } }))
  await here.end()
  await here.pass(second)
  expect(here.begun).toEqual([expect.any(String), waiting])
})

it('what was brought about elsewhere, and lost there, is brought about once more', async () => {
  const { records, store, failOver } = aStore()
  let lost = 0
  const here = new FlowScene({
    ...store,
    watchLosses: () => async () => {
      const child = [...records.runs.values()].find(({ parentRunId }) => parentRunId !== null)
      if (child === undefined || lost > 0) return true
      lost += 1
      // The run that was started is gone, and the partition that it was started from lost nothing.
      records.runs.delete(child.id)
      for (const [key, { runId: of }] of records.invocations)
        if (of === child.id) records.invocations.delete(key)
      records.opIds.delete(opId(`start:${child.id}`))
      failOver()
      return false
    },
  })
  const child = {
    id: 'child',
    title: 'Child',
    nodes: { a: { kind: 'delay', parameters: { amount: 1, unit: 'seconds' } } },
  }
  here.workflows.set('child', { document: documentOf(child), folder: null })
  await here.launch()
  const id = await here.start({ nodes: { sub: { kind: 'sub-workflow', parameters: { workflow: 'child' } } } })
  await here.pass(30 * second)
  expect([lost, (await here.run(id)).status]).toEqual([1, 'SUCCEEDED'])
})

it('a step that calls anew what has ended meanwhile is told so', async () => {
  const { records, store, failOver } = aStore()
  const isParent = ({ nodeId }: { readonly nodeId: string }): boolean => nodeId === 'sub'
  let before: readonly (readonly [RunRecord, InvocationRecord])[] = []
  const here = new FlowScene({
    ...store,
    commit: async (partition, checkpoints) => {
      const parked = checkpoints.flatMap(({ writes }) => writes.invocations).find(isParent)
      const [run] = [...records.runs.values()].filter(({ parentRunId }) => parentRunId === null)
      const step = [...records.invocations.values()].find(isParent)
      if (parked?.status === 'WAITING' && run !== undefined && step !== undefined) before = [[run, step]]
      return store.commit(partition, checkpoints)
    },
  })
  const child = { id: 'child', title: 'Child', nodes: { a: { kind: 'noop' } } }
  here.workflows.set('child', { document: documentOf(child), folder: null })
  await here.launch()
  const id = await here.start({
    nodes: {
      sub: { kind: 'sub-workflow', parameters: { workflow: 'child' } },
      hold: { kind: 'delay', parameters: { amount: 1, unit: 'hours' } },
    },
    edges: edgesOf('sub>hold'),
  })
  await here.pass(second)
  // Its partition forgets that it has called, waited and heard; that of the other run forgets nothing.
  for (const [run, step] of before) {
    records.runs.set(run.id, run)
    const { lease: _lease, ...rest } = step
    records.invocations.set(step.id, { ...rest, lease: null, status: 'REROUTED' })
  }
  for (const [key, { nodeId }] of records.invocations) if (nodeId === 'hold') records.invocations.delete(key)
  failOver()
  await here.pass(60 * second)
  const steps = await here.store.load(0, 'invocations', { runId: id })
  expect([before.length, steps.find(isParent)?.status]).toEqual([1, 'SUCCESS'])
})

it('what a run means for another is not done with while what it is from is lost', async () => {
  const { records, store, failOver } = aStore()
  let hidden: RunRecord | null = null
  const forgetful: Store = {
    ...store,
    load: async (partition, kind, input) => {
      const found = await store.load(partition, kind, input)
      const isEndOfChild = kind === 'run' && [...records.outbox.keys()].some((id) => id.startsWith('ended:'))
      const run = isEndOfChild ? (found as RunRecord | null) : null
      if (hidden !== null || run === null || run.parentRunId === null) return found
      // For a moment it never was; then its author has brought it back.
      hidden = run
      failOver()
      return null
    },
  }
  const here = new FlowScene(forgetful)
  const child = { id: 'child', title: 'Child', nodes: { a: { kind: 'noop' } } }
  here.workflows.set('child', { document: documentOf(child), folder: null })
  await here.launch()
  const id = await here.start({ nodes: { sub: { kind: 'sub-workflow', parameters: { workflow: 'child' } } } })
  await here.pass(10 * second)
  expect(hidden).not.toBeNull()
  expect((await here.run(id)).status).toBe('SUCCEEDED')
})

it.for([
  ['that the run has ended is safe', false],
  ['it is stopped, and others see to it', true],
] as const)('values go only once %s', async ([, stops]) => {
  const { records, store } = aStore()
  const told: string[] = []
  const safe = Promise.withResolvers<boolean>()
  const here = new FlowScene({
    ...store,
    watchLosses: () => async () => {
      told.push('watched')
      return told.length > 1 || safe.promise
    },
    dropBlobs: async (hashes) => {
      told.push('dropped')
      return store.dropBlobs(hashes)
    },
  })
  await here.launch()
  const rows = { expression: '{ "rows": [1, 2, 3] }' }
  const make = { kind: 'transform', parameters: rows, keepOutput: 'none' }
  const last = { kind: 'transform', parameters: { expression: '1' } }
  const playing = here.start({ nodes: { make, last }, edges: edgesOf('make>last') })
  await vi.waitUntil(() => told.length > 0)
  const stopping = stops ? here.engine.stop() : null
  if (!stops) safe.resolve(false)
  await playing
  await stopping
  await here.pass(60 * second)
  expect(told).toEqual(stops ? ['watched'] : ['watched', 'watched', 'dropped', 'watched'])
  expect([...records.outbox.keys()]).toHaveLength(stops ? 1 : 0)
})
