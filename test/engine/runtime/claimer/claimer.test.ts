/** How a runner comes to work: what it fetches, what it claims, and what it does when the store fails. */

import { afterEach, describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { Priority } from '../../../../src-engine/model/invocation.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { ClaimRequest, Store } from '../../../../src-engine/store/store.ts'
import { simulationStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (node: WorkflowNode, priority: Priority = 'NORMAL'): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('claimed'),
    title: 'Claimed',
    nodes: { work: node },
    edges: {},
    settings: { priority },
  }) as WorkflowDocument

const plain = documentOf({ kind: 'noop' })

interface Calls {
  readonly claims: Pick<ClaimRequest, 'limit' | 'pools' | 'now' | 'invocationIds'>[]
  readonly fetches: number[]
  /** While true, claims fail. */
  fails: boolean
}

/** Counts what a scene's engines ask of their store. */
function watched(store: Store): { readonly store: Store; readonly calls: Calls } {
  const calls: Calls = { claims: [], fetches: [], fails: false }
  const seen: Store = {
    ...store,
    fetch: (request) => {
      calls.fetches.push(request.limit)
      return store.fetch(request)
    },
    claim: async (request) => {
      calls.claims.push(request)
      if (calls.fails) throw new SagasmithError('store_busy')
      return store.claim(request)
    },
  }
  return { store: seen, calls }
}

describe.each(Object.entries(simulationStores))('claiming on %s', (_name, open) => {
  const scene = async (): Promise<{ readonly here: EnginesScene; readonly calls: Calls }> => {
    const { store, calls } = watched(await open())
    const here = new EnginesScene(store)
    scenes.push(here)
    return { here, calls }
  }

  it('never claims more than it has free slots, whatever it fetches [P3]', async () => {
    const { here, calls } = await scene()
    await here.launch({ maxConcurrentTasks: 2, batchSize: 5 })
    for (let count = 0; count < 6; count += 1) await here.start(plain)
    await here.pass(20_000)
    expect(here.atWork).toHaveLength(2)
    while (here.atWork.length > 0) {
      await here.end()
      expect(here.atWork.length).toBeLessThanOrEqual(2)
    }
    expect(here.begun).toHaveLength(6)
    expect(calls.fetches.every((limit) => limit === 5)).toBe(true)
    expect(calls.claims.every(({ limit }) => limit <= 2)).toBe(true)
    expect(calls.claims.every(({ invocationIds }) => (invocationIds?.length ?? 6) <= 5)).toBe(true)
  })

  it('fetches and claims in one step where it wants no more than its free slots', async () => {
    const { here, calls } = await scene()
    await here.launch({ maxConcurrentTasks: 2 })
    for (let count = 0; count < 3; count += 1) await here.start(plain)
    while (here.atWork.length > 0) await here.end()
    expect(here.begun).toHaveLength(3)
    expect(calls.fetches).toEqual([])
  })

  it('leaves to others what it has only fetched [P2]', async () => {
    const { here } = await scene()
    await here.launch({ maxConcurrentTasks: 1, batchSize: 10 })
    for (let count = 0; count < 4; count += 1) await here.start(plain)
    await here.pass(6_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([0])
    await here.launch({ maxConcurrentTasks: 3 })
    await here.pass(6_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([0, 1, 1, 1])
    await here.end()
    await here.pass(20_000)
    expect(here.begun).toHaveLength(4)
  })

  it('prefers what is more urgent to what it fetched before', async () => {
    const { here } = await scene()
    await here.launch({ maxConcurrentTasks: 1, batchSize: 10 })
    const runs = [await here.start(plain), await here.start(plain)]
    await here.pass(6_000)
    const urgent = await here.start(documentOf({ kind: 'noop' }, 'CRITICAL'))
    while (here.atWork.length > 0) await here.end()
    expect(here.begun).toEqual([runs[0], urgent, runs[1]])
  })

  it('looks past work that a permit holds up [T11]', async () => {
    const { here } = await scene()
    await here.launch({ maxConcurrentTasks: 2 })
    const limited = documentOf({ kind: 'noop', concurrency: { running: 'TASK', onFull: 'reroute' } }, 'HIGH')
    await here.start(limited)
    for (let count = 0; count < 70; count += 1) await here.start(limited)
    const free = await here.start(plain)
    await here.pass(6_000)
    expect(here.atWork.map(({ runId }) => runId)).toContain(free)
  })

  it('goes on at once with work of runs that other engines started [S42]', async () => {
    const { here } = await scene()
    await here.launch({ maxConcurrentTasks: 1, pools: ['elsewhere'] })
    for (let count = 0; count < 5; count += 1) await here.start(plain)
    await here.launch({ maxConcurrentTasks: 1 })
    const since = here.world.now
    for (let count = 0; count < 5; count += 1) await here.end()
    expect(here.begun).toHaveLength(5)
    expect(here.world.now - since).toBeLessThan(100)
  })

  it('asks a store that fails ever less often, and goes on when it works again', async () => {
    const { here, calls } = await scene()
    await here.launch({ pools: ['elsewhere'] })
    await here.start(plain)
    calls.fails = true
    await here.launch({ pollIntervalMs: 100 })
    await here.pass(70_000)
    const instants = calls.claims.filter(({ pools }) => pools[0] === 'default').map(({ now }) => now)
    const pauses = instants.slice(1).map((at, index) => at - (instants[index] ?? at))
    // Jitter of half of 500 ms in this scene; the longest pause is 30 s.
    expect(pauses).toEqual([1_250, 2_250, 4_250, 8_250, 16_250, 30_000])
    calls.fails = false
    await here.pass(31_000)
    expect(here.atWork).toHaveLength(1)
    await here.end()
  })
})

it('holds no slots while it looks over several partitions: runs begin and go on meanwhile', async () => {
  const store = createPartitionedStore(createMemoryStore({ partitions: 4 }))
  const taken: number[] = []
  const here = new EnginesScene({
    ...store,
    claim: (request) => {
      taken.push(here.engines[0]?.load().taken ?? -1)
      return store.claim(request)
    },
  })
  scenes.push(here)
  await here.launch({ pollIntervalMs: 1_000 })
  await here.pass(10_000)
  expect(new Set(taken)).toEqual(new Set([0]))
  await here.start(plain)
  expect(here.atWork).toHaveLength(1)
  await here.pass(10_000)
  expect(new Set(taken)).toEqual(new Set([0, 1]))
  await here.end()
})
