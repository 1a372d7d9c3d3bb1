/** Pools that operators drain, take out, put back and map topics to. */

import { afterEach, describe, expect, it } from 'vitest'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { createDrains } from '../../../../src-engine/runtime/pools/drains.ts'
import { createPoolBook } from '../../../../src-engine/runtime/pools/pool-book.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from '../permits/engines-scene.ts'
import type { SettingValues } from '../permits/scene-settings.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (node: Partial<WorkflowNode>): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('pooled'),
    title: 'Pooled',
    nodes: { work: { kind: 'noop', ...node } },
    edges: {},
  }) as WorkflowDocument

const inGpu = documentOf({ pool: 'gpu' })

describe.each(Object.entries(sceneStores))('pools on %s', (_name, open) => {
  /** Engine 0 works for `default`, engine 1 for `gpu`. */
  const scene = async (settings: SettingValues = {}): Promise<EnginesScene> => {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch({ maxConcurrentTasks: 2, ...settings })
    await here.launch({ maxConcurrentTasks: 2, pools: ['gpu'], ...settings })
    return here
  }
  const set = async (
    here: EnginesScene,
    change: Parameters<EnginesScene['engines'][0]['pools']['change']>[0],
  ) => {
    const changed = here.engines[0]?.pools.change(change)
    await here.pass(0)
    return changed
  }
  const why = async (here: EnginesScene, runId: Awaited<ReturnType<EnginesScene['start']>>) =>
    (await whyWaiting(here.store, { runId, nodeId: null, now: here.world.now }))[0]
  const listed = async (here: EnginesScene, name: string) => {
    const asked = here.engines[0]?.pools.list()
    await here.pass(0)
    return (await asked)?.find((pool) => pool.name === name)
  }

  it('drains: nothing new begins, what runs ends, then the pool is inactive', async () => {
    const here = await scene()
    await here.start(inGpu)
    await here.pass(6_000)
    await set(here, { name: 'gpu', status: 'draining' })
    // The other process looks at least this often.
    await here.pass(5_000)
    const late = await here.start(inGpu)
    await here.pass(30_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1])
    expect(await listed(here, 'gpu')).toMatchObject({
      status: 'draining',
      activeSlots: 1,
      maxSlots: 2,
      waiting: 1,
      runners: [here.engines[1]?.runnerId],
    })
    expect(await why(here, late)).toMatchObject({
      code: 'pool_draining',
      message: 'The pool “gpu” is draining.',
    })
    await here.end()
    await here.pass(11_000)
    expect(await listed(here, 'gpu')).toMatchObject({ status: 'inactive', activeSlots: 0, waiting: 1 })
    expect(await why(here, late)).toMatchObject({ code: 'pool_inactive' })
    expect(here.atWork).toEqual([])
  })

  it('takes the work of a pool that is put back, without anybody asking', async () => {
    const here = await scene()
    await set(here, { name: 'gpu', status: 'inactive' })
    await here.start(inGpu)
    await here.pass(20_000)
    expect(here.atWork).toEqual([])
    await set(here, { name: 'gpu', status: 'active' })
    await here.pass(6_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1])
    await here.end()
  })

  it('starts nothing in a drained pool by a decision either', async () => {
    const here = await scene()
    await set(here, { name: 'default', status: 'draining' })
    const run = await here.start(documentOf({}))
    await here.pass(20_000)
    expect(here.atWork).toEqual([])
    expect(await here.statuses(run)).toEqual(['REGISTERED'])
  })

  it('ends a drain that takes too long', async () => {
    const here = await scene()
    await here.start(inGpu)
    await here.pass(6_000)
    await set(here, { name: 'gpu', status: 'draining' })
    await here.pass(9 * 60_000)
    expect((await listed(here, 'gpu'))?.status).toBe('draining')
    await here.pass(2 * 60_000)
    expect(await listed(here, 'gpu')).toMatchObject({ status: 'inactive', activeSlots: 1 })
    await here.end()
  })

  it('lets a drain without such a time take as long as its work does', async () => {
    const here = await scene({ poolDrainTimeoutMs: 0 })
    await here.start(inGpu)
    await here.pass(6_000)
    await set(here, { name: 'gpu', status: 'draining' })
    await here.pass(30_000)
    expect(await listed(here, 'gpu')).toMatchObject({ status: 'draining', activeSlots: 1 })
    await here.end()
    await here.pass(11_000)
    expect((await listed(here, 'gpu'))?.status).toBe('inactive')
  })

  it('routes a topic to its pools, and a kind as well [C42]', async () => {
    const here = await scene()
    await set(here, { name: 'gpu', topics: ['render', 'noop'] })
    await here.start(documentOf({ route: { topic: 'render' } }))
    await here.start(documentOf({}))
    await here.pass(6_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1, 1])
    await here.end()
    await here.end()
  })

  it('keeps a topic without pools waiting, says so, and routes it once there is one [C42]', async () => {
    const here = await scene()
    const run = await here.start(documentOf({ route: { topic: 'render' } }))
    await here.pass(20_000)
    expect(await why(here, run)).toMatchObject({ code: 'no_pool_mapping' })
    await here.pass(200_000)
    expect((await here.records(run))[0]?.waitReason?.code).toBe('no_pool_mapping')
    await set(here, { name: 'gpu', topics: ['render'] })
    await here.pass(60_000)
    expect(here.atWork.map(({ engine }) => engine)).toEqual([1])
    await here.end()
    expect(await here.statuses(run)).toEqual(['SUCCESS'])
  })

  it.for([
    { title: 'on the process that mapped it', by: 0 },
    { title: 'on another one, when that one hears of it', by: 1 },
  ])('routes what waits anew as soon as a topic has other pools, $title', async ({ by }) => {
    const here = await scene()
    const unmapped = await here.start(documentOf({ route: { topic: 'render' } }))
    await set(here, { name: 'nowhere', topics: ['noop'] })
    const byKind = await here.start(documentOf({}))
    const own = await here.start(documentOf({ pool: 'attic' }))
    await here.pass(10)
    const poolsOf = async (run: typeof own) => {
      const [record] = await here.records(run)
      return record?.route?.pools ?? [record?.pool]
    }
    expect(await Promise.all([unmapped, byKind, own].map(poolsOf))).toEqual([[], ['nowhere'], ['attic']])
    const changed = here.engines[by]?.pools.change({ name: 'gpu', topics: ['render', 'noop'] })
    // Whoever changed the rules may be gone before it has looked at what they mean.
    if (by === 1) here.dieAfter(1, ({ writes }) => writes.registers.length > 0)
    await here.pass(2_000)
    if (by === 0) await changed
    expect(await Promise.all([unmapped, byKind, own].map(poolsOf))).toEqual([
      ['gpu'],
      ['nowhere', 'gpu'],
      ['attic'],
    ])
    expect(here.processes[1]?.alive).toBe(by === 0)
  })

  it('takes the permit of a pool, and its place in line, from work that it doesn’t work for any more', async () => {
    const here = await scene()
    await set(here, { name: 'gpu', topics: ['noop'], limit: 1 })
    const [first, second] = [await here.start(documentOf({})), await here.start(documentOf({}))]
    await here.pass(6_000)
    expect([await here.statuses(first), await here.statuses(second)]).toEqual([
      ['RUNNING'],
      ['CONCURRENCY_CONTROLLED'],
    ])
    await set(here, { name: 'default', topics: ['noop'] })
    await set(here, { name: 'gpu', topics: [] })
    await here.pass(6_000)
    const [record] = await here.records(second)
    expect(record).toMatchObject({ status: 'RUNNING', pool: 'default', permits: { permits: [] } })
    expect(here.atWork.map(({ engine }) => engine).sort((a, b) => a - b)).toEqual([0, 1])
    await here.end()
    await here.end()
  })

  it('is changed by many at once without losing a change', async () => {
    const here = await scene()
    const [one, other] = here.engines
    if (one === undefined || other === undefined) throw new Error('There are two engines.')
    const changes = Promise.all([
      one.pools.change({ name: 'gpu', limit: 3 }),
      other.pools.change({ name: 'cpu', limit: 5 }),
      other.pools.change({ name: 'gpu', status: 'draining' }),
    ])
    await here.pass(10)
    await changes
    expect(await listed(here, 'gpu')).toMatchObject({ status: 'draining', limit: 3 })
    expect(await listed(here, 'cpu')).toMatchObject({ status: 'active', limit: 5 })
  })

  /** Two books of one store, whose answers to some calls come when the test says so. */
  const books = async (held: 'load' | 'commit') => {
    const store = await open()
    const answers: (() => void)[] = []
    const state = { isHolding: false }
    const slow = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (name !== held || typeof member !== 'function') return member
        return async (...given: readonly unknown[]) => {
          const answer: unknown = await Reflect.apply(member, target, given)
          if (state.isHolding) await new Promise<void>((resolve) => answers.push(resolve))
          return answer
        }
      },
    })
    const clock = { now: () => 0, monotonic: () => 0, after: () => () => {} }
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    let count = 0
    const ids = { next: () => String((count += 1)) }
    const given = { partition: 0, clock, ids, log }
    return {
      store,
      given: { ...given, slow },
      mine: createPoolBook({ ...given, store: slow, owner: 'mine' }),
      other: createPoolBook({ ...given, store, owner: 'other' }),
      hold: () => {
        state.isHolding = true
      },
      /** The first answer that is held; those to come aren't. */
      heldAnswer: async () => {
        while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve))
        state.isHolding = false
        return () => answers.shift()?.()
      },
    }
  }

  it('does not go back to what was read before its own change', async () => {
    const { store, mine, other, hold, heldAnswer } = await books('load')
    await other.change({ name: 'gpu', limit: 1 })
    hold()
    const reading = mine.refresh()
    const answer = await heldAnswer()
    await mine.change({ name: 'gpu', limit: 2 })
    answer()
    await reading
    expect(mine.rules().pools['gpu']?.limit).toBe(2)
    await store.close()
  })

  it('is not taken out by the end of a drain when somebody put it back in that moment', async () => {
    const { store, mine, other, hold, heldAnswer, given } = await books('load')
    await other.change({ name: 'gpu', status: 'draining' })
    let look: () => void = () => {}
    const after = (_span: number, call: () => void) => {
      look = call
      return () => {}
    }
    const clock = { ...given.clock, after }
    const settings = { poolDrainCheckMs: 1, poolDrainTimeoutMs: 0 }
    const drains = createDrains({ ...given, store: given.slow, clock, settings, pools: mine })
    await mine.refresh()
    drains.start()
    hold()
    look()
    // The rules are read first, then the work is counted.
    ;(await heldAnswer())()
    hold()
    const counted = await heldAnswer()
    await other.change({ name: 'gpu', status: 'active' })
    counted()
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await other.refresh()
    expect(other.rules().pools['gpu']?.status).toBe('active')
    drains.stop()
    await store.close()
  })

  it('notices what others change after it read its own change before it had the answer to it', async () => {
    const { store, mine, other, hold, heldAnswer } = await books('commit')
    hold()
    const changing = mine.change({ name: 'gpu', limit: 1 })
    const answer = await heldAnswer()
    await mine.refresh()
    expect(mine.rules().pools['gpu']?.limit).toBe(1)
    answer()
    await changing
    await other.change({ name: 'gpu', limit: 2 })
    await mine.refresh()
    expect(mine.rules().pools['gpu']?.limit).toBe(2)
    await store.close()
  })
})
