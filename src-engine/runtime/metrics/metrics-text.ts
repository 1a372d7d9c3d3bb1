/** The text of an engine's metrics, with what is only looked at when somebody asks. */

import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Engine } from '../engine.ts'
import type { EngineMetrics } from './engine-metrics.ts'

/** A longer queue is told as this long: counting it must not slow down what empties it. */
const queueDepthMax = 10 * pageSizeMax

const available: readonly InvocationStatus[] = [...invocationMachine.available]

/** Makes the text; queues are those of the whole store, however many partitions it has. Rejects when the store can't be read. */
export async function metricsText(metrics: EngineMetrics, engine: Engine): Promise<string> {
  const depthByPool = await queueDepths(engine)
  for (const [pool, depth] of depthByPool) metrics.queueDepth(pool).set(depth)
  metrics.approvalQueueDepth.set(await countOf(engine, ['APPROVAL_REQUIRED']))
  metrics.sagaActive.set(await rollbacks(engine))
  metrics.store(engine.store.info.kind).set(1)
  metrics.partitionsAway.set(engine.store.missing?.().length ?? 0)
  const { slots, taken, active } = engine.load()
  metrics.slots('taken').set(taken)
  metrics.slots('free').set(slots - taken)
  metrics.active.set(active)
  return metrics.registry.text()
}

async function rollbacks({ store }: Engine): Promise<number> {
  const query = { workflowId: null, includeCore: false }
  const counts = await store.load(store.info.partitions[0] ?? 0, 'runCounts', query)
  return counts.get('COMPENSATING') ?? 0
}

async function queueDepths(engine: Engine): Promise<ReadonlyMap<string, number>> {
  const depths = new Map<string, number>([['default', 0]])
  for await (const { pool } of workIn(engine, available)) depths.set(pool, (depths.get(pool) ?? 0) + 1)
  return depths
}

async function countOf(engine: Engine, statuses: readonly InvocationStatus[]): Promise<number> {
  let count = 0
  for await (const _ of workIn(engine, statuses)) count += 1
  return count
}

/** As much of it as is counted. */
async function* workIn({ store }: Engine, statuses: readonly InvocationStatus[]) {
  let after: string | null = null
  for (let seen = 0; seen < queueDepthMax; seen += pageSizeMax) {
    const items: readonly InvocationRecord[] = await store.list(store.info.partitions[0] ?? 0, 'work', {
      filter: { statuses, pool: null },
      page: { after, limit: pageSizeMax },
    })
    yield* items
    if (items.length < pageSizeMax) return
    after = items.at(-1)?.id ?? null
  }
}
