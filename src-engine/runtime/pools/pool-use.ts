/** Who works for which pool, and what waits for it: counted from runners and work. */

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

/** The pool that work counts for: the first that its runner works for, or the first at all. */
const poolOfWork = (pools: readonly string[], ofRunner: readonly string[] | undefined): string | undefined =>
  pools.find((pool) => ofRunner?.includes(pool) === true) ?? pools[0]

const runnerRows = (store: Store, partition: number): Promise<readonly RunnerRecord[]> =>
  store.list(partition, 'runners', { filter: null, page: { after: null, limit: pageSizeMax } })

/** How much work of each pool a runner owns. As quick as that is little, however long the queue is. */
export async function activeByPool(
  store: Store,
  partition: number,
  known?: readonly RunnerRecord[],
): Promise<Map<string, number>> {
  const rows = known ?? (await runnerRows(store, partition))
  const poolsByRunner = new Map(rows.map(({ id, pools }) => [id, pools]))
  const active = new Map<string, number>()
  for (const { owner, pools, count } of await store.load(partition, 'workCounts', { what: 'owned' })) {
    add(active, poolOfWork(pools, owner === null ? undefined : poolsByRunner.get(owner)), count)
  }
  return active
}

/** The use of every pool that a runner works for or that has work. */
export async function poolUses(
  store: Store,
  partition: number,
  now: Instant,
): Promise<ReadonlyMap<string, PoolUse>> {
  const rows = await runnerRows(store, partition)
  const active = await activeByPool(store, partition, rows)
  const waiting = new Map<string, number>()
  for (const { pools, count } of await store.load(partition, 'workCounts', { what: 'waiting' })) {
    add(waiting, poolOfWork(pools, undefined), count)
  }
  const living = livingRunners(rows, now)
  const names = new Set([...living.flatMap(({ pools }) => pools), ...active.keys(), ...waiting.keys()])
  return new Map(
    [...names].map((name): [string, PoolUse] => {
      const runners = living.filter(({ pools }) => pools.includes(name))
      const maxSlots = runners.reduce((sum, { slots }) => sum + slots, 0)
      const use = { activeSlots: active.get(name) ?? 0, waiting: waiting.get(name) ?? 0 }
      return [name, { runners, maxSlots, ...use }]
    }),
  )
}

/** Work whose topic no pool is mapped to counts for none. */
function add(counts: Map<string, number>, name: string | undefined, count: number): void {
  if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + count)
}
