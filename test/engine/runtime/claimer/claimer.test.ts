/** How a runner comes to work: what it fetches, what it claims, and what it does when the store fails. */

import { afterEach, describe, expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { Priority } from '../../../../src-engine/model/invocation.ts'
import { invocationMachine } from '../../../../src-engine/model/invocation-status.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import type { Hint } from '../../../../src-engine/store/hints.ts'
import { news } from '../../../../src-engine/store/hints.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { ClaimRequest, Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

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

describe.each(Object.entries(sceneStores))('claiming on %s', (_name, open) => {
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

/** A store of several processes that tells each of them when work became available, and of nothing else, as Redis does. */
function tellingWork(memory: Store): Store {
  const hints = new Set<Hint>()
  return {
    ...memory,
    info: { ...memory.info, multiProcess: true },
    watch: (_, hint) => {
      hints.add(hint)
      return () => hints.delete(hint)
    },
    commit: async (partition, checkpoints) => {
      const answers = await memory.commit(partition, checkpoints)
      const written = checkpoints.flatMap(({ writes }) => writes.invocations)
      if (written.some(({ status }) => invocationMachine.available.has(status))) {
        for (const hint of hints) hint('elsewhere', news.work)
      }
      return answers
    },
  }
}

describe('new work that all runners hear of', () => {
  /** Eight idle runners that know each other, beside an engine that takes nothing; claims are counted from then on. */
  const crowd = async (set: SettingValues = {}) => {
    const { store, calls } = watched(tellingWork(createMemoryStore()))
    const here = new EnginesScene(store)
    scenes.push(here)
    await here.launch({ pools: ['elsewhere'] })
    for (let count = 0; count < 8; count += 1) await here.launch({ pollIntervalMs: 600_000, ...set })
    await here.pass(40_000)
    calls.claims.length = 0
    const asked = (): number => calls.claims.filter(({ pools }) => pools[0] === 'default').length
    return { here, asked }
  }

  it('wakes one runner for one piece: it is taken by the first claim', async () => {
    const { here, asked } = await crowd()
    await here.start(plain)
    await here.pass(10)
    expect(here.atWork).toHaveLength(1)
    expect(asked()).toBe(1)
  })

  it('wakes each of the others once at most, however much there is that others have taken', async () => {
    const { here, asked } = await crowd()
    for (let count = 0; count < 10; count += 1) await here.start(plain)
    await here.pass(1_000)
    expect(here.atWork).toHaveLength(10)
    expect(asked()).toBeLessThanOrEqual(10 + 8)
  })

  it('reaches all in a few turns when nobody can take more than one piece', async () => {
    const { here } = await crowd({ maxConcurrentTasks: 1 })
    for (let count = 0; count < 8; count += 1) await here.start(plain)
    await here.pass(200)
    expect(new Set(here.atWork.map(({ engine }) => engine)).size).toBe(8)
  })

  it('reaches those that can take it although the first ones can not', async () => {
    const { here } = await crowd({ maxConcurrentTasks: 1 })
    for (let count = 0; count < 7; count += 1) await here.start(plain)
    await here.pass(1_000)
    expect(here.atWork).toHaveLength(7)
    // Only one of them has room, whoever the others believe to have.
    await here.start(plain)
    await here.pass(200)
    expect(here.atWork).toHaveLength(8)
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
