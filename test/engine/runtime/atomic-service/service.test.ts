/** Engines that do the chores, in virtual time: core runs on their slots, and recovery through them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { runnerId, storeId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import { hour, minute } from '../../../../src-engine/model/time.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { listExecutions } from '../../../../src-engine/runtime/atomic-service/start-record.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { openSqliteStore } from '../../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { accept } from '../../../conformance/scene.ts'
import { aClaim, byRunner, moving } from '../../../conformance/story.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const undo: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

interface Stored {
  readonly kind: string
  /** How much virtual time passes. */
  readonly spanMs: number
  /** Fewer where a virtual hour takes its time. */
  readonly engineCounts: readonly number[]
  readonly open: () => Promise<Store>
}

const stores: readonly Stored[] = [
  { kind: 'memory', spanMs: hour, engineCounts: [1, 2, 5, 12], open: async () => createMemoryStore() },
  {
    kind: 'SQLite',
    spanMs: 20 * minute,
    engineCounts: [2],
    open: async () => {
      const directory = mkdtempSync(join(tmpdir(), 'sagasmith-chores-'))
      undo.push(() => rmSync(directory, { recursive: true, force: true }))
      const clock = { now: () => 1_000_000, monotonic: () => 0, after: () => () => {} }
      const store = await openSqliteStore({ directory, storeId: storeId('store_1'), clock })
      undo.push(() => store.close())
      return store
    },
  },
]

const oneStep = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId('work'),
  title: 'Work',
  nodes: { work: { kind: 'noop' } },
  edges: {},
} as unknown as WorkflowDocument

/** The record of the only step. */
async function stepOf(scene: EnginesScene, id: RunId) {
  const [record] = await scene.records(id)
  if (record === undefined) throw new Error('the run has no step')
  return record
}

async function coreRuns(store: Store) {
  const page = { after: null, limit: 200 }
  const filter = { statuses: null, workflowId: null, includeCore: true }
  const runs = await store.list(0, 'runs', { filter, page })
  return runs
    .filter((run) => run.workflowId.startsWith('core.'))
    .map(({ workflowId, cause, status }) => ({ workflowId, slot: cause.detail ?? '', status }))
    .toSorted((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : a.workflowId < b.workflowId ? -1 : 1))
}

const slotsWithin = (from: number, to: number, everyMs: number): readonly string[] => {
  const slots: string[] = []
  for (let at = Math.floor(from / everyMs) * everyMs + everyMs; at <= to; at += everyMs)
    slots.push(new Date(at).toISOString())
  return slots
}

/** Nobody dies here: sweeps would only take their time. */
const rareSweeps = { deadProcessCheckMs: minute }

describe.for(stores)('chores on $kind', ({ open, engineCounts, spanMs }) => {
  test.for(engineCounts)('with %i engines every slot of the crons has one run of its own', async (count) => {
    const store = await open()
    const scene = new EnginesScene(store)
    for (let index = 0; index < count; index += 1)
      await scene.launch(rareSweeps, { canRunAtomicService: true })
    const begin = scene.world.now
    await scene.pass(spanMs)
    const end = scene.world.now
    const runs = await coreRuns(store)
    const of = (id: string) => runs.filter(({ workflowId }) => workflowId === id).map(({ slot }) => slot)
    expect(of('core.recover-pending')).toEqual(slotsWithin(begin, end, 5 * minute))
    expect(of('core.recover-running')).toEqual(slotsWithin(begin, end, 15 * minute))
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']))
    const rows = (await listExecutions({ store, partition: 0 })).map(({ record }) => record)
    expect(rows.filter(({ status }) => status === 'BLOCKED')).toEqual([])
    expect(
      await store.list(0, 'runs', {
        filter: { statuses: null, workflowId: null, includeCore: false },
        page: { after: null, limit: 10 },
      }),
    ).toEqual([])
  })

  test('what a stranger claimed and never began is given back by the cron, and done [P28] [P29]', async () => {
    const store = await open()
    const scene = new EnginesScene(store)
    await scene.launch({ maxConcurrentTasks: 1, claimTtlMs: hour }, { canRunAtomicService: true })
    // The only slot is taken, so that the second run waits for whoever claims it.
    const first = await scene.start(oneStep)
    const stuck = await scene.start(oneStep)
    const { claimed } = await store.claim({
      partition: 0,
      runnerId: runnerId('stranger'),
      limit: 1,
      now: scene.world.now,
      pools: ['default'],
      capabilities: ['noop'],
      labels: [],
      agingMs: minute,
      // As every runner of the store: the lease outlives the slots of the cron.
      ttlMs: hour,
      invocationIds: [(await stepOf(scene, stuck)).id],
    })
    expect(claimed).toHaveLength(1)
    await scene.end()
    expect((await scene.run(first)).status).toBe('SUCCEEDED')
    await scene.pass(6 * minute)
    expect(await scene.history(stuck)).toContain('PENDING_RECOVERY')
    while (scene.atWork.length > 0) await scene.end()
    expect((await scene.run(stuck)).status).toBe('SUCCEEDED')
  })

  test('what a stranger begins while the cron looks at it stays with the stranger [P28]', async () => {
    const inner = await open()
    let begins = 0
    const store: Store = new Proxy(inner, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (name !== 'list') return typeof member === 'function' ? member.bind(target) : member
        return async (...given: Parameters<Store['list']>) => {
          const found = await inner.list(...given)
          const [, kind, { filter }] = given
          const statuses = (filter as { readonly statuses?: readonly string[] } | null)?.statuses
          if (kind !== 'work' || statuses?.join() !== 'PENDING') return found
          for (const record of found as readonly InvocationRecord[]) {
            if (record.lease?.runnerId !== 'stranger') continue
            begins += 1
            await accept(inner, moving(record, ['RUNNING'], { actor: byRunner('stranger') }))
          }
          return found
        }
      },
    })
    const scene = new EnginesScene(store)
    await scene.launch({ maxConcurrentTasks: 1, claimTtlMs: hour }, { canRunAtomicService: true })
    await scene.start(oneStep)
    const begun = await scene.start(oneStep)
    const invocationIds = [(await stepOf(scene, begun)).id]
    const asked = { now: scene.world.now, ttlMs: hour, invocationIds, capabilities: ['noop'] }
    expect((await inner.claim(aClaim('stranger', asked))).claimed).toHaveLength(1)
    await scene.pass(11 * minute)
    expect(begins).toBe(1)
    expect(await scene.history(begun)).toEqual(['PENDING', 'RUNNING'])
  })
})
