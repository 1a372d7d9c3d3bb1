/** What people do with pools. */

import type { PoolChange } from '../../model/pools.ts'
import { poolRuleOf, topicsOfPool } from '../../model/pools.ts'
import { defaultPool } from '../../model/workflow.ts'
import type { PoolView } from '../../protocol/pools.ts'
import type { DrainDependencies } from './drains.ts'
import { poolUses } from './pool-use.ts'

export interface PoolDesk {
  /** Every pool that has a rule, a topic, a runner or work, by name. */
  readonly list: () => Promise<readonly PoolView[]>
  readonly change: (change: PoolChange) => Promise<PoolView>
}

export function createPoolDesk(dependencies: DrainDependencies): PoolDesk {
  const { store, partition, clock, pools } = dependencies
  const list = async (): Promise<readonly PoolView[]> => {
    await pools.refresh()
    const rules = pools.rules()
    const uses = await poolUses(store, partition, clock.now())
    const mapped = Object.values(rules.topics).flat()
    const names = new Set([defaultPool, ...Object.keys(rules.pools), ...mapped, ...uses.keys()])
    return [...names].sort().map((name) => {
      const { status, limit } = poolRuleOf(rules, name)
      const use = uses.get(name)
      return {
        name,
        status,
        runners: use?.runners.map(({ id }) => id) ?? [],
        activeSlots: use?.activeSlots ?? 0,
        maxSlots: use?.maxSlots ?? 0,
        waiting: use?.waiting ?? 0,
        limit,
        topics: topicsOfPool(rules, name),
      }
    })
  }
  return {
    list,
    change: async (change) => {
      await pools.change(change)
      const view = (await list()).find(({ name }) => name === change.name)
      // It has a rule since it was changed.
      return view as PoolView
    },
  }
}
