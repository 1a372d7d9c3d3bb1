/** What a look over partitions finds, and whose run is at hand, is claimed by the commit that begins it. */

import { afterEach, describe, expect, it } from 'vitest'
import { workflowId } from '../../../../src-engine/model/ids.ts'
import type { WorkflowDocument, WorkflowNode } from '../../../../src-engine/model/workflow.ts'
import { noRecords } from '../../../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (node: Partial<WorkflowNode> = {}): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('taken'),
    title: 'Taken',
    nodes: { work: { kind: 'noop', ...node } },
    edges: {},
  }) as WorkflowDocument

/** Engines on four partitions; `claimed` is what their claims came to, `meanwhile` is done between a look and what follows. */
function scene() {
  const records = [0, 1, 2, 3].map(noRecords)
  const store = createPartitionedStore(createMemoryStore({ records }))
  /** Others lead all partitions, in a new epoch, and nothing is lost. */
  const failOver = (): void => {
    for (const [partition, kept] of records.entries()) {
      kept.head = { ...kept.head, epoch: kept.head.epoch + 1, seq: 0 }
      const epochs = store.info.epochs as number[]
      epochs[partition] = kept.head.epoch
    }
  }
  const seen = {
    claimed: [] as string[],
    offered: [] as string[],
    meanwhile: async () => {},
    isAway: false,
  }
  const watched: Store = {
    ...store,
    claim: async (request) => {
      if (seen.isAway && request.invocationIds !== null) throw new Error('nobody is there')
      const answer = await store.claim(request)
      seen.claimed.push(...answer.claimed.map(({ invocation }) => invocation.runId))
      seen.offered.push(...(answer.offered ?? []).map(({ runId }) => runId))
      if ((answer.offered ?? []).length > 0) await seen.meanwhile()
      return answer
    },
  }
  const here = new EnginesScene(watched)
  scenes.push(here)
  return { here, seen, store, failOver }
}

/** A run whose step stands in the queue, on an engine that has one slot, which another run has. */
async function queued(node: Partial<WorkflowNode> = {}) {
  const { here, seen, store, failOver } = scene()
  await here.launch({ maxConcurrentTasks: 1 })
  await here.start(documentOf())
  const run = await here.start(documentOf(node))
  await here.pass(10)
  seen.claimed.length = 0
  return { here, seen, store, failOver, run }
}

describe('a step in the queue', () => {
  it('whose run is at hand is claimed and begun by one commit', async () => {
    const { here, seen, run } = await queued()
    await here.end()
    expect([here.begun.at(-1), seen.claimed, seen.offered]).toEqual([run, [], [run]])
    const events = await eventsOfRun(here.store, run)
    const steps = events.filter(({ body }) => body.type === 'invocation.changed')
    expect(steps.map(({ body }) => body.type === 'invocation.changed' && body.to)).toEqual([
      'PENDING',
      'RUNNING',
    ])
    expect(new Set(steps.map(({ opId }) => opId)).size).toBe(1)
    await here.end()
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('whose look’s answer is lost is found by the next one', async () => {
    const { here, seen, run } = await queued()
    seen.meanwhile = async () => {
      seen.meanwhile = async () => {}
      throw new Error('the answer is lost')
    }
    await here.end()
    expect(await here.statuses(run)).toEqual(['REGISTERED'])
    await here.pass(30_000)
    expect([here.begun.at(-1), seen.offered]).toEqual([run, [run, run]])
  })

  it('that could neither be begun nor claimed is found a second later, long before anybody looks by himself', async () => {
    const { here, seen, failOver, run } = await queued()
    // Who looks now and then has just looked.
    await here.pass(5_000)
    seen.meanwhile = async () => {
      seen.meanwhile = async () => {}
      failOver()
    }
    seen.isAway = true
    await here.end()
    seen.isAway = false
    expect([await here.statuses(run), seen.offered]).toEqual([['REGISTERED'], [run]])
    await here.pass(1_100)
    expect([await here.statuses(run), here.begun.at(-1)]).toEqual([['RUNNING'], run])
  })

  it('that was found before a failover is claimed first: who had it comes before', async () => {
    const { here, seen, failOver, run } = await queued()
    seen.meanwhile = async () => {
      seen.meanwhile = async () => {}
      failOver()
    }
    await here.end()
    await here.pass(10)
    expect([here.begun.at(-1), seen.claimed, seen.offered]).toEqual([run, [run], [run]])
  })

  it('that takes a permit is claimed first', async () => {
    const { here, seen, run } = await queued({ concurrency: { running: 'TASK', limit: 9 } } as never)
    await here.end()
    expect([here.begun.at(-1), seen.claimed, seen.offered]).toEqual([run, [run], []])
  })

  it('of a run that another engine began is claimed first', async () => {
    const { here, seen } = scene()
    await here.launch({ maxConcurrentTasks: 1, pools: ['elsewhere'] })
    const run = await here.start(documentOf())
    await here.launch({ maxConcurrentTasks: 1 })
    await here.pass(10)
    expect([here.begun, seen.claimed, seen.offered]).toEqual([[run], [run], []])
  })

  it('that somebody else takes meanwhile is theirs, and the slot is free again', async () => {
    const { here, seen, store, run } = await queued()
    seen.meanwhile = async () => {
      seen.meanwhile = async () => {}
      const [found] = await store.load(0, 'invocations', { runId: run })
      const other = {
        partition: 0,
        runnerId: 'somebody' as never,
        limit: 1,
        now: here.world.now,
        ttlMs: 600_000,
        pools: ['default'],
        capabilities: ['noop'],
        labels: [],
        agingMs: 300_000,
        invocationIds: found === undefined ? [] : [found.id],
      }
      expect((await store.claim(other)).claimed).toHaveLength(1)
    }
    await here.end()
    await here.pass(10)
    expect(seen.offered).toEqual([run])
    expect(here.atWork).toEqual([])
    const [record] = await here.records(run)
    expect(record).toMatchObject({ status: 'PENDING', lease: { runnerId: 'somebody' } })
    const next = await here.start(documentOf())
    await here.pass(10)
    expect(here.atWork.map(({ runId }) => runId)).toEqual([next])
  })
})
