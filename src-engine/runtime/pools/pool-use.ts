/** Who works for which pool, and what waits for it: counted from runners and work. */

import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { Instant } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import { livingRunners } from '../routing/missing-runner.ts'

export interface PoolUse {
  readonly runners: readonly RunnerRecord[]
  /** Of all its runners; one that works for several pools offers its slots to each. */
  readonly maxSlots: number
  readonly activeSlots: number
  /** Available, or in line for a permit. */
  readonly waiting: number
}

const atWork = [...invocationMachine.owned]
const waits: readonly InvocationStatus[] = [...invocationMachine.available, 'CONCURRENCY_CONTROLLED']

/** Work is counted this far; with more of it, the numbers are at least these. */
const countedMax = 20_000

/** The pool that claimed work was taken for: the first of its pools that its runner works for. */
export function poolOfWork(record: InvocationRecord, pools: readonly string[] | null): string {
  const eligible = record.route?.pools ?? [record.pool]
  return eligible.find((pool) => pools?.includes(pool) === true) ?? eligible[0] ?? record.pool
}

/** The use of every pool that a runner works for or that has work. */
export async function poolUses(
  store: Store,
  partition: number,
  now: Instant,
): Promise<ReadonlyMap<string, PoolUse>> {
  const page = { after: null, limit: pageSizeMax }
  const rows = await store.list(partition, 'runners', { filter: null, page })
  const poolsByRunner = new Map(rows.map(({ id, pools }) => [id, pools]))
  const active = new Map<string, number>()
  const waiting = new Map<string, number>()
  for await (const record of work(store, partition, [...atWork, ...waits])) {
    const owner = record.lease?.runnerId ?? null
    if (owner === null) add(waiting, poolOfWork(record, null))
    else add(active, poolOfWork(record, poolsByRunner.get(owner) ?? null))
  }
  const living = livingRunners(rows, now)
  const names = new Set([...living.flatMap(({ pools }) => pools), ...active.keys(), ...waiting.keys()])
  const uses = [...names].map((name): [string, PoolUse] => {
    const runners = living.filter(({ pools }) => pools.includes(name))
    const maxSlots = runners.reduce((sum, { slots }) => sum + slots, 0)
    return [name, { runners, maxSlots, activeSlots: active.get(name) ?? 0, waiting: waiting.get(name) ?? 0 }]
  })
  return new Map(uses)
}

const add = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

async function* work(
  store: Store,
  partition: number,
  statuses: readonly InvocationStatus[],
): AsyncGenerator<InvocationRecord> {
  let after: string | null = null
  for (let counted = 0; counted < countedMax; counted += pageSizeMax) {
    const records: readonly InvocationRecord[] = await store.list(partition, 'work', {
      filter: { statuses, pool: null },
      page: { after, limit: pageSizeMax },
    })
    yield* records
    after = records.at(-1)?.id ?? null
    if (records.length < pageSizeMax || after === null) return
  }
}
