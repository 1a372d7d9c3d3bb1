/** Registration control: the same demand twice is one, until the first of them begins. */

import { afterEach, describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../../../src-engine/model/checkpoint.ts'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { ConcurrencyPolicy, WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (id: string, nodes: JsonValue): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: id,
    nodes,
    edges: {},
  }) as unknown as WorkflowDocument

const asking = (concurrency: ConcurrencyPolicy): WorkflowDocument =>
  documentOf('asking', { work: { kind: 'noop', concurrency: { ...concurrency } } })
const blocker = documentOf('blocker', { block: { kind: 'noop', priority: 'CRITICAL' } })

const byTask: ConcurrencyPolicy = { registration: 'TASK' }
const byKey: ConcurrencyPolicy = { registration: 'KEYS', keys: ['key'] }

describe.each(Object.entries(sceneStores))('registration control on %s', (_name, open) => {
  /** Engines with one slot each, all of them taken: what is started waits. */
  const busyScene = async (engines = 1): Promise<EnginesScene> => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch({ maxConcurrentTasks: 1 })
    for (let count = 0; count < engines; count += 1) await made.start(blocker, {}, count)
    await made.pass(10)
    expect(made.atWork).toHaveLength(engines)
    return made
  }
  const reasonOf = async (here: EnginesScene, run: RunId) => (await here.records(run))[0]?.waitReason?.code

  it('gives a second demand the result of the first, which runs alone [P15]', async () => {
    const here = await busyScene()
    const first = await here.start(asking(byTask), { a: 1 })
    const second = await here.start(asking(byTask), { a: 1 })
    await here.pass(10)
    expect(await here.statuses(first)).toEqual(['REGISTERED'])
    expect(await here.statuses(second)).toEqual(['WAITING'])
    expect(await reasonOf(here, second)).toBe('reuse')
    await here.end()
    await here.end()
    expect(here.begun.slice(1)).toEqual([first])
    expect(await here.statuses(second)).toEqual(['SUCCESS'])
    const [done, reused] = [await here.run(first), await here.run(second)]
    expect(reused).toMatchObject({ status: 'SUCCEEDED', output: done.output })
    expect(
      await here.store.list(0, 'permits', { filter: { prefix: '' }, page: { after: null, limit: 9 } }),
    ).toEqual([])
  })

  it('waits for the first demand no longer than the total time of its step', async () => {
    const here = await busyScene()
    const bounded = documentOf('asking', {
      work: { kind: 'noop', concurrency: { ...byTask }, timeout: { totalMs: 60_000 } },
    })
    const first = await here.start(asking(byTask))
    const second = await here.start(bounded)
    const third = await here.start(bounded)
    await here.pass(10)
    await here.control(0, {
      runId: third,
      nodeId: null,
      action: 'pause',
      wait: false,
      by: null,
      reason: null,
    })
    await here.pass(59_000)
    expect(await here.statuses(second)).toEqual(['WAITING'])
    await here.pass(2_000)
    for (const late of [second, third]) expect(await here.run(late)).toMatchObject({ status: 'TIMED_OUT' })
    await here.end()
    await here.end()
    expect(here.begun.slice(1)).toEqual([first])
    expect(
      await here.store.list(0, 'permits', { filter: { prefix: '' }, page: { after: null, limit: 9 } }),
    ).toEqual([])
  })

  it('reuses for other arguments by TASK, and names what differs [P15]', async () => {
    const here = await busyScene()
    const first = await here.start(asking(byTask), { a: 1 })
    const second = await here.start(asking(byTask), { a: 2, b: 3 })
    await here.pass(10)
    const [record] = await here.records(second)
    expect(record).toMatchObject({ status: 'WAITING', wait: { kind: 'reuse' } })
    expect(record?.waitReason?.message).toContain('a differs, b is new')
    await here.end()
    await here.end()
    expect(here.begun.slice(1)).toEqual([first])
  })

  it('refuses other arguments with the difference when it is told to [P15] [P17]', async () => {
    const here = await busyScene()
    const raises: ConcurrencyPolicy = { ...byKey, onDifferentNonKeyArguments: 'raise' }
    const first = await here.start(asking(raises), { key: 1, size: 'small', gone: true })
    const same = await here.start(asking(raises), { key: 1, size: 'small', gone: true })
    const other = await here.start(asking(raises), { key: 1, size: 'large', more: 1 })
    await here.pass(10)
    const existing = (await here.records(first))[0]?.id
    expect(await here.statuses(same)).toEqual(['WAITING'])
    expect(await here.statuses(other)).toEqual(['FAILED'])
    expect(await here.run(other)).toMatchObject({
      status: 'FAILED',
      error: {
        code: 'concurrency_different_arguments',
        details: {
          existing,
          added: { more: 1 },
          removed: { gone: true },
          changed: { size: { first: 'small', later: 'large' } },
        },
      },
    })
    await here.end()
    await here.end()
    expect((await here.run(same)).status).toBe('SUCCEEDED')
  })

  it('shares by all arguments, and leaves other ones alone [P16] [P14]', async () => {
    const here = await busyScene()
    const byArguments: ConcurrencyPolicy = { registration: 'ARGUMENTS' }
    const first = await here.start(asking(byArguments), { a: 1, b: 2 })
    const same = await here.start(asking(byArguments), { b: 2, a: 1 })
    const other = await here.start(asking(byArguments), { a: 1, b: 3 })
    await here.pass(10)
    expect(await here.statuses(same)).toEqual(['WAITING'])
    expect(await here.statuses(other)).toEqual(['REGISTERED'])
    for (let count = 0; count < 3; count += 1) await here.end()
    expect(here.begun.slice(1)).toEqual([first, other])
    expect((await here.run(same)).status).toBe('SUCCEEDED')
  })

  it('shares by key, another key is independent [P17]', async () => {
    const here = await busyScene()
    const first = await here.start(asking(byKey), { key: 1, a: 1 })
    const same = await here.start(asking(byKey), { key: 1, a: 2 })
    const other = await here.start(asking(byKey), { key: 2, a: 1 })
    await here.pass(10)
    expect(await here.statuses(same)).toEqual(['WAITING'])
    for (let count = 0; count < 3; count += 1) await here.end()
    expect(here.begun.slice(1)).toEqual([first, other])
  })

  it('is a new demand once the first has begun [P15] [P14]', async () => {
    const here = await busyScene()
    const first = await here.start(asking(byTask))
    await here.end()
    await here.pass(10)
    const second = await here.start(asking(byTask))
    await here.pass(10)
    expect(await here.statuses(first)).toEqual(['RUNNING'])
    expect(await here.statuses(second)).toEqual(['REGISTERED'])
    await here.end()
    await here.end()
    expect(here.begun.slice(1)).toEqual([first, second])
  })

  it('stands for the demand in the line of running control too', async () => {
    const here = await busyScene()
    const both: ConcurrencyPolicy = { ...byTask, running: 'TASK', onFull: 'reroute' }
    await here.launch({ maxConcurrentTasks: 4 })
    const first = await here.start(asking(both), {}, 1)
    await here.pass(10)
    const second = await here.start(asking(both), {}, 1)
    await here.pass(10)
    expect(await here.statuses(second)).toEqual(['CONCURRENCY_CONTROLLED'])
    const third = await here.start(asking(both), {}, 1)
    await here.pass(10)
    expect(await here.statuses(third)).toEqual(['WAITING'])
    for (; here.atWork.length > 0; ) {
      await here.end()
      await here.pass(1_000)
    }
    expect(here.begun).not.toContain(third)
    for (const run of [first, second, third]) expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('hands on a failure, and a cancel makes the next one a demand of its own', async () => {
    const here = await busyScene()
    const runs: RunId[] = []
    for (let count = 0; count < 3; count += 1) runs.push(await here.start(asking(byTask)))
    await here.pass(10)
    await here.engines[0]?.cancelRun(runs[0] as RunId)
    await here.pass(10)
    const after = await Promise.all(runs.map((run) => here.statuses(run)))
    expect(after.flat().sort()).toEqual(['CANCELLED', 'REROUTED', 'WAITING'])
    await here.end()
    await here.end(new SagasmithError('debug_failure', { message: 'no luck' }))
    for (const run of runs.slice(1))
      expect(await here.run(run)).toMatchObject({ status: 'FAILED', error: { message: 'no luck' } })
    expect(here.begun).toHaveLength(2)
  })

  it('has one who stands for the demand among those of two processes at once [P15]', async () => {
    const here = await busyScene(2)
    const runs = await here.startTogether(asking(byKey), [
      [{ key: 1 }, 0],
      [{ key: 1 }, 1],
      [{ key: 1 }, 0],
      [{ key: 1 }, 1],
    ])
    await here.pass(20)
    const statuses = (await Promise.all(runs.map((run) => here.statuses(run)))).flat()
    expect(statuses.sort()).toEqual(['REGISTERED', 'WAITING', 'WAITING', 'WAITING'])
    for (let count = 0; count < 3; count += 1) await here.end()
    await here.pass(6_000)
    expect(here.begun).toHaveLength(3)
    for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('counts the items of a map as demands like all others [P15] [G3]', async () => {
    const here = await busyScene()
    const items = [{ key: 1 }, { key: 2 }, { key: 1 }, { key: 1 }]
    const batch = documentOf('batch', {
      each: {
        kind: 'map',
        parameters: { items, limit: 10, batchSize: 1, tolerate: 0, tolerateUnit: 'items', key: '' },
      },
      work: { kind: 'noop', parent: 'each', concurrency: { ...byKey } },
    })
    await here.launch({ maxConcurrentTasks: 1 })
    const run = await here.start(batch, {}, 1)
    await here.pass(10)
    for (; here.atWork.length > 0; ) {
      await here.end()
      await here.pass(6_000)
    }
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(here.begun.filter((id) => id === run)).toHaveLength(2)
  })

  it('hands the result on after the process that had it died [P15]', async () => {
    const here = await busyScene(2)
    const first = await here.start(asking(byTask), {}, 0)
    const second = await here.start(asking(byTask), {}, 1)
    await here.pass(20)
    expect(await here.statuses(second)).toEqual(['WAITING'])
    const ends = ({ writes }: Checkpoint): boolean =>
      writes.run?.id === first && writes.run.status === 'SUCCEEDED'
    for (const engine of [0, 1]) here.dieAfter(engine, ends)
    for (const work of here.atWork.filter(({ engine }) => engine === 0)) work.end()
    await here.pass(10)
    for (const work of here.atWork.filter(({ runId }) => runId === first)) work.end()
    await here.pass(10)
    expect((await here.run(first)).status).toBe('SUCCEEDED')
    expect((await here.run(second)).status).toBe('WAITING')
    await here.launch({ maxConcurrentTasks: 1 })
    await here.pass(10_000)
    expect((await here.run(second)).status).toBe('SUCCEEDED')
    expect(here.begun.filter((id) => id === second)).toEqual([])
  })
})
