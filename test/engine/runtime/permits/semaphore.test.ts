/** The mutex and the semaphore: how many may be inside of a body at a time, over runs, workflows and engines. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { whyWaiting } from '../../../../src-engine/runtime/routing/why-waiting.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { EnginesScene } from './engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const edge = (from: string, to: string, port = 'out'): object => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

/** Two steps inside, one after the other. */
const guarded = (parameters: JsonObject, id = 'guard', more: object = {}): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: 'Guarded',
    nodes: {
      lock: { kind: 'semaphore', parameters, ...more },
      first: { kind: 'debug', parent: 'lock' },
      second: { kind: 'debug', parent: 'lock' },
    },
    edges: { inner: edge('first', 'second') },
  }) as unknown as WorkflowDocument

const one = { permits: 1 }

describe.each(Object.entries(sceneStores))('a semaphore on %s', (_name, open) => {
  const scene = async (engines = 1): Promise<EnginesScene> => {
    const made = new EnginesScene(await open())
    scenes.push(made)
    for (let count = 0; count < engines; count += 1) await made.launch()
    return made
  }
  const inside = (here: EnginesScene): readonly (readonly [string, string])[] =>
    here.atWork.map(({ runId, nodeId }) => [runId, nodeId])
  /** Nothing holds or waits for anything any more. */
  const isFree = async (here: EnginesScene): Promise<boolean> => {
    const page = { after: null, limit: 100 }
    const uses = await here.store.list(0, 'permits', { filter: { prefix: 'inside:' }, page })
    return uses.every(({ holders }) => holders.length === 0)
  }
  const endAll = async (here: EnginesScene): Promise<void> => {
    while (here.atWork.length > 0) await here.end()
  }
  const lockOf = async (here: EnginesScene, run: RunId) =>
    (await here.records(run)).find(({ nodeId }) => nodeId === 'lock')

  it('gives its place on when its lease is over: counted from when it got it, not from when it stood in line', async () => {
    const here = await scene(2)
    const leased = { permits: 1, leaseMs: 60_000 }
    const first = await here.start(guarded(leased))
    await here.pass(50_000)
    const second = await here.start(guarded(leased))
    await here.pass(9_000)
    expect(inside(here)).toEqual([[first, 'first']])
    expect((await lockOf(here, first))?.waitReason?.message).toContain('for 1 min at most')
    await here.pass(2_000)
    const late = await lockOf(here, first)
    expect(late).toMatchObject({ status: 'TIMEOUT', error: { code: 'task_timeout' } })
    expect(late?.error?.details).toEqual({ leaseMs: 60_000 })
    expect((await here.run(first)).status).toBe('TIMED_OUT')
    expect(inside(here)).toEqual([[second, 'first']])
    // The next one has all of its own time.
    await here.pass(50_000)
    expect((await lockOf(here, second))?.status).toBe('WAITING')
    await endAll(here)
    await here.pass(1_000)
    await endAll(here)
    await here.pass(1_000)
    expect((await here.run(second)).status).toBe('SUCCEEDED')
    expect(await isFree(here)).toBe(true)
  })

  it('is held over all steps inside, and given on in the order of its line', async () => {
    const here = await scene()
    const runs: RunId[] = []
    for (let count = 0; count < 3; count += 1) {
      runs.push(await here.start(guarded(one)))
      await here.pass(10)
    }
    for (const run of runs) {
      expect(inside(here)).toEqual([[run, 'first']])
      await here.end()
      await here.pass(1_000)
      expect(inside(here)).toEqual([[run, 'second']])
      await here.end()
      await here.pass(1_000)
    }
    for (const run of runs) expect((await here.run(run)).status).toBe('SUCCEEDED')
    expect(await isFree(here)).toBe(true)
  })

  it('lets in as many as it says, over all engines', async () => {
    const here = await scene(2)
    for (let count = 0; count < 5; count += 1) await here.start(guarded({ permits: 2 }), {}, count % 2)
    await here.pass(1_000)
    expect(here.atWork).toHaveLength(2)
    for (let count = 0; count < 10; count += 1) {
      await here.end()
      await here.pass(2_000)
    }
    expect(here.most).toBe(2)
    expect(await isFree(here)).toBe(true)
  })

  it('tells who waits whom it waits for, and where it stands in line', async () => {
    const here = await scene()
    const [holder, waiting] = [await here.start(guarded(one)), await here.start(guarded(one))]
    await here.pass(10)
    const lock = await lockOf(here, holder)
    expect(await lockOf(here, waiting)).toMatchObject({
      status: 'CONCURRENCY_CONTROLLED',
      waitReason: { code: 'concurrency_limit', message: expect.stringContaining(String(lock?.id)) },
    })
    const [told] = await whyWaiting(here.store, { runId: waiting, nodeId: null, now: here.world.now })
    expect(told?.permit).toMatchObject({ limit: 1, holders: [lock?.id], position: 1, waiting: 1 })
    await endAll(here)
    await here.pass(10)
    await endAll(here)
  })

  it('counts each key for itself, and other workflows only when it is told so', async () => {
    const here = await scene()
    await here.start(guarded(one), { key: 'a' })
    await here.start(guarded(one), { key: 'b' })
    await here.start(guarded(one, 'other'), { key: 'a' })
    await here.pass(10)
    expect(here.atWork).toHaveLength(3)
    const shared = { ...one, key: 'a', scope: 'workspace' }
    await here.start(guarded(shared))
    await here.pass(10)
    await here.start(guarded(shared, 'other'))
    await here.pass(10)
    expect(here.atWork).toHaveLength(4)
    while (here.atWork.length > 0) {
      await here.end()
      await here.pass(2_000)
    }
    expect(await isFree(here)).toBe(true)
  })

  it('gives up its place when a step inside fails', async () => {
    const here = await scene()
    const failing = await here.start(guarded(one))
    await here.pass(10)
    const next = await here.start(guarded(one))
    await here.pass(10)
    await here.end(new Error('broken'))
    await here.pass(1_000)
    expect((await here.run(failing)).status).toBe('FAILED')
    expect(inside(here)).toEqual([[next, 'first']])
    await endAll(here)
  })

  it('fails or skips who finds no room when it is told so', async () => {
    const here = await scene()
    await here.start(guarded(one))
    await here.pass(10)
    const failed = await here.start(guarded({ ...one, onFull: 'fail' }))
    const skipped = await here.start(guarded({ ...one, onFull: 'skip' }))
    await here.pass(10)
    expect(await here.run(failed)).toMatchObject({ status: 'FAILED', error: { code: 'concurrency_limit' } })
    expect(await here.statuses(skipped)).toEqual(['CONCURRENCY_CONTROLLED_FINAL'])
    expect((await here.run(skipped)).status).toBe('SUCCEEDED')
    await endAll(here)
  })

  it('lets nobody in while a cancelled step still runs', async () => {
    const here = await scene()
    here.deaf = true
    const cancelled = await here.start(guarded(one))
    await here.pass(10)
    const next = await here.start(guarded(one))
    await here.pass(10)
    const asked = { action: 'cancel', nodeId: null, by: null, reason: null, wait: false } as const
    await here.control(0, { ...asked, runId: cancelled })
    await here.pass(1_000)
    expect((await lockOf(here, cancelled))?.status).toBe('CANCELLED')
    expect(inside(here)).toEqual([[cancelled, 'first']])
    await here.end()
    await here.pass(1_000)
    expect(inside(here)).toEqual([[next, 'first']])
    await endAll(here)
    expect(await isFree(here)).toBe(true)
  })

  it('lets nobody in while a step of a lost runner is to be taken over', async () => {
    const here = await scene(2)
    const first = await here.start(guarded(one))
    await here.pass(10)
    const owner = here.atWork[0]?.engine ?? 0
    const second = await here.start(guarded(one), {}, 1 - owner)
    await here.pass(10)
    here.processes[owner]?.die()
    here.atWork.splice(0)
    await here.pass(301_000)
    expect(inside(here)).toEqual([[first, 'first']])
    await here.end()
    await here.pass(1_000)
    expect(inside(here)).toEqual([[first, 'second']])
    await here.end()
    await here.pass(1_000)
    expect(inside(here)).toEqual([[second, 'first']])
    await endAll(here)
  })

  it('hands on what its last step gives', async () => {
    const here = await scene()
    const document = guarded(one)
    const after = { ...document.nodes, after: { kind: 'debug' } }
    const run = await here.start({
      ...document,
      nodes: after,
      edges: { ...document.edges, out: edge('lock', 'after') },
    } as unknown as WorkflowDocument)
    await here.pass(10)
    await here.end()
    await here.end()
    expect(inside(here)).toEqual([[run, 'after']])
    expect((await lockOf(here, run))?.output).toEqual({ kind: 'inline', json: JSON.stringify(run) })
    await endAll(here)
  })
})
