/** Pulling runs out of every store: whole, checked, and out of reach of everything that would change them. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { runId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { newRun } from '../../../../src-engine/model/new-records.ts'
import { createRunViews } from '../../../../src-engine/runtime/run-views.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { partitionedOf, sceneStores } from '../../../simulation/stores.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { valueOf } from '../control-flow/flow-scene.ts'
import { handOver, machineOn } from '../sealing/seal-scene.ts'
import type { PullScene } from './pull-scene.ts'
import { pullSceneOn } from './pull-scene.ts'

const scenes: PullScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const refusal = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'done',
    (thrown: { readonly code?: string }) => thrown.code ?? thrown,
  )

describe.each(Object.entries(sceneStores))('a run pulled from %s', (_name, open) => {
  const scene = async (): Promise<PullScene> => {
    const made = await pullSceneOn(await open())
    scenes.push(made)
    return made
  }
  const orders = { nodes: { a: transform('input.n + 1'), b: transform('input * 2') }, edges: edgesOf('a>b') }

  /** What every view is made of. */
  async function everything(store: Store, id: RunId) {
    return {
      run: await store.load(0, 'run', { runId: id }),
      invocations: await store.load(0, 'invocations', { runId: id }),
      attempts: await store.load(0, 'attempts', { runId: id, invocationId: null }),
      events: await eventsOfRun(store, id),
      snapshot: await createRunViews(store).snapshot(id),
    }
  }

  it('has nothing of what isn’t kept, though that is there still', async () => {
    const here = await scene()
    const { id } = await here.cluster.play(
      {
        nodes: {
          make: { ...transform('input.n & "secret"'), keepOutput: 'none' },
          fail: { kind: 'debug', parameters: { failTimes: 9, retryable: false } },
        },
        edges: edgesOf('make>fail'),
      },
      { n: 20 },
    )
    await here.pull(id)
    const made = (await here.store(id).load(0, 'invocations', { runId: id })).find(
      ({ nodeId }) => nodeId === 'make',
    )
    if (made?.output?.kind !== 'blob') throw new Error('it lies in its record')
    expect(made.output.fleeting).toEqual({ summary: null })
    expect((await here.cluster.store.getBlob(made.output.hash)).byteLength).toBeGreaterThan(10)
    expect(await refusal(here.store(id).getBlob(made.output.hash))).toBe('blob_missing')
  })

  it('is here as it is there, events, records, version and all', async () => {
    const here = await scene()
    // Other runs' events lie between its own.
    await here.cluster.start({ nodes: { other: transform('input') } }, 1)
    const { id, definitionHash } = await here.cluster.play(orders, { n: 20 })
    const { run, newEvents, rolledBack } = await here.pull(id)
    expect(run).toMatchObject({ runId: id, status: 'SUCCEEDED', isSnapshot: false, events: newEvents })
    expect(run.origin).toMatchObject({ cluster: 'plant', pulledAt: 5_000_000 })
    expect(rolledBack).toBe(false)
    const there = here.cluster.store
    expect(await everything(here.store(id), id)).toEqual(await everything(there, id))
    const version = await here.store(id).load(0, 'workflowVersion', { hash: definitionHash })
    expect(version).toEqual(await there.load(0, 'workflowVersion', { hash: definitionHash }))
    expect(here.file.list().map((one) => one.runId)).toEqual([id])
  })

  it('shows how it was at any of its events', async () => {
    const here = await scene()
    const { id } = await here.cluster.play(orders, { n: 1 })
    await here.pull(id)
    const events = await eventsOfRun(here.cluster.store, id)
    for (const { seq } of events) {
      expect(await createRunViews(here.store(id)).stateAt(id, seq)).toEqual(
        await createRunViews(here.cluster.store).stateAt(id, seq),
      )
    }
  })

  it('is a snapshot while it goes on, and pulling again brings what is new', async () => {
    const here = await scene()
    const long = { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } }
    const id = await here.cluster.start({
      nodes: { wait: long, after: transform('1') },
      edges: edgesOf('wait>after'),
    })
    await here.cluster.pass(100)
    const first = await here.pull(id)
    expect(first.run).toMatchObject({ status: 'WAITING', isSnapshot: true })
    expect(await here.pull(id)).toMatchObject({ newEvents: 0 })
    await here.cluster.pass(10_000)
    const second = await here.pull(id)
    expect(second.run).toMatchObject({ status: 'SUCCEEDED', isSnapshot: false })
    expect(second.newEvents).toBeGreaterThan(0)
    expect(second.run.events).toBe(first.run.events + second.newEvents)
    expect(await everything(here.store(id), id)).toEqual(await everything(here.cluster.store, id))
  })

  it('brings large payloads along up to a bound, and says what was left out', async () => {
    const here = await scene()
    const { id } = await here.cluster.play({ nodes: { a: transform('$join([1..20000].$string(), " ")') } })
    const bounded = await here.pull(id, { payloadBytesMax: 1_000 })
    // What the step got and what it gave are as large.
    expect(bounded.run.payloads).toMatchObject({ count: 0, leftOut: 2 })
    const { output } = await here.cluster.run(id)
    if (output?.kind !== 'blob') throw new Error('the output is large')
    expect(await refusal(here.store(id).getBlob(output.hash))).toBe('blob_missing')
    const whole = await here.pull(id)
    expect(whole.run.payloads).toMatchObject({ count: 2, leftOut: 0 })
    expect(await here.store(id).getBlob(output.hash)).toEqual(await here.cluster.store.getBlob(output.hash))
    expect(here.told.at(-1)).toMatch(/^payloads \d+ 2$/)
    here.file.drop(id)
    expect(here.file.hasPayload(output.hash)).toBe(false)
  })

  it('brings its dead letters, and what it waits for', async () => {
    const here = await scene()
    const { id } = await here.cluster.play({ nodes: { a: transform('$error("no")') } })
    await here.pull(id, { waiting: async () => '[{"code":"no_workers"}]' })
    const filter = { reason: null, workflowId: null, runId: id }
    const letters = (store: Store) =>
      store.list(0, 'deadLetters', { filter, page: { after: null, limit: 10 } })
    expect(await letters(here.store(id))).toEqual(await letters(here.cluster.store))
    expect(await letters(here.store(id))).toHaveLength(1)
    expect(here.file.waiting(id)).toContain('no_workers')
  })

  it('comes with the runs that its steps started', async () => {
    const here = await scene()
    const child = documentOf({ id: 'child', title: 'child', nodes: { one: transform('1') } })
    here.cluster.workflows.set('child', { document: child, folder: null })
    const sub = { kind: 'sub-workflow', parameters: { workflow: 'child' } }
    const { id } = await here.cluster.play({ nodes: { sub } })
    const answer = await here.pullFamily(id)
    expect(answer.gone).toEqual([])
    expect(answer.runs.map(({ run }) => run.parentRunId)).toEqual([null, id])
    expect(here.file.list()).toHaveLength(2)
  })

  it('never takes the place of a run of this machine', async () => {
    const here = await scene()
    const { id } = await here.cluster.play(orders, { n: 1 })
    const own = newRun({ ...(await here.cluster.run(id)) })
    const local = { ...here.local, load: async () => own } as unknown as Store
    expect(await refusal(here.pull(id, { local }))).toBe('teleport_id_taken')
    expect(here.file.list()).toEqual([])
  })

  it('is read only: nothing is there to claim, and every write is refused', async () => {
    const here = await scene()
    const long = { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } }
    const id = await here.cluster.start({ nodes: { wait: long } })
    await here.cluster.pass(100)
    await here.pull(id)
    const store = here.store(id)
    expect(await store.listDue({ partition: 0, now: Number.MAX_SAFE_INTEGER, limit: 10 })).toEqual({
      due: [],
      nextAt: null,
    })
    expect(await refusal(store.commit(0, []))).toBe('teleport_read_only')
    expect(await refusal(store.putBlob(new Uint8Array()))).toBe('teleport_read_only')
  })

  it('is refused where its history does not hold together, and nothing is kept', async () => {
    const here = await scene()
    const { id } = await here.cluster.play(orders, { n: 1 })
    const { store } = here.cluster
    const broken = (change: (events: Awaited<ReturnType<Store['readEvents']>>) => typeof events): Store => ({
      ...store,
      load: store.load.bind(store),
      list: store.list.bind(store),
      readEvents: async (query) => change(await store.readEvents(query)),
    })
    const without = broken((events) => events.toSpliced(2, 1))
    expect(await refusal(here.pull(id, { source: without }))).toBe('teleport_journal_damaged')
    const changed = broken((events) =>
      events.map((event, index) => (index === 1 ? { ...event, at: event.at + 1 } : event)),
    )
    expect(await refusal(here.pull(id, { source: changed }))).toBe('teleport_journal_damaged')
    expect(here.file.list()).toEqual([])
  })

  it('is made anew where a failover took back some of it', async () => {
    const here = await scene()
    const { id } = await here.cluster.play(orders, { n: 1 })
    await here.pull(id)
    const { store } = here.cluster
    let looks = 0
    const source: Store = {
      ...store,
      load: store.load.bind(store),
      list: store.list.bind(store),
      // The first look finds another event in the place of the last one that was pulled.
      readEvents: async (query) => {
        looks += 1
        const events = await store.readEvents(query)
        return looks === 1 ? events.map((event) => ({ ...event, hash: 'another' })) : events
      },
    }
    const again = await here.pull(id, { source })
    expect(again.rolledBack).toBe(true)
    expect(again.newEvents).toBe(again.run.events)
    expect(await everything(here.store(id), id)).toEqual(await everything(store, id))
  })

  it('must be there', async () => {
    const here = await scene()
    expect(await refusal(here.pull(runId('run_nobody')))).toBe('run_not_found')
  })
})

it('what is sealed comes along sealed, and is opened for whoever has the key', async () => {
  const raw = partitionedOf(createMemoryStore({ partitions: 2 }))
  const maker = await machineOn(raw, true)
  const here = await pullSceneOn(maker.store)
  scenes.push(here)
  const { id } = await here.cluster.play({ nodes: { a: transform('"very private"') } })
  await here.pull(id, { source: raw })
  const copy = here.store(id)
  expect(
    JSON.stringify([await eventsOfRun(copy, id), await copy.load(0, 'run', { runId: id })]),
  ).not.toContain('very private')
  const stranger = await machineOn(copy)
  expect((await stranger.store.load(0, 'run', { runId: id }))?.output?.kind).toBe('sealed')
  const friend = await machineOn(copy)
  await handOver(maker, friend)
  const opened = await friend.store.load(0, 'run', { runId: id })
  expect(opened === null ? null : valueOf(opened)).toBe('very private')
  for (const { desk } of [maker, stranger, friend]) desk.stop()
})
