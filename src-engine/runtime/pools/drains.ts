/** Brings drains to their end: a draining pool without running work, or out of time, is inactive. */

import { recordOfThrown } from '../../model/errors.ts'
import type { PoolRules } from '../../model/pools.ts'
import { poolRuleOf } from '../../model/pools.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Store } from '../../store/store.ts'
import type { PoolBook } from './pool-book.ts'
import { activeByPool } from './pool-use.ts'

export interface Drains {
  readonly start: () => void
  readonly stop: () => void
}

export interface DrainDependencies {
  readonly store: Store
  readonly partition: number
  readonly clock: Clock
  readonly log: Logger
  readonly settings: Pick<EngineSettings, 'poolDrainCheckMs' | 'poolDrainTimeoutMs'>
  readonly pools: PoolBook
}

const drainingOf = (rules: PoolRules): readonly string[] =>
  Object.keys(rules.pools).filter((name) => poolRuleOf(rules, name).status === 'draining')

/** Looks only while a pool drains. Any number of processes may: the rules change once. */
export function createDrains(dependencies: DrainDependencies): Drains {
  const { clock, log, pools, settings } = dependencies
  let running = false
  let cancel: (() => void) | null = null
  const plan = (): void => {
    if (!running || cancel !== null || drainingOf(pools.rules()).length === 0) return
    cancel = clock.after(settings.poolDrainCheckMs, () => {
      finishDrains(dependencies)
        .catch((thrown: unknown) => log.warn('drains.failed', { error: recordOfThrown(thrown).message }))
        .finally(() => {
          cancel = null
          plan()
        })
    })
  }
  pools.onChange(plan)
  return {
    start: () => {
      running = true
      plan()
    },
    stop: () => {
      running = false
      cancel?.()
      cancel = null
    },
  }
}

async function finishDrains({ store, partition, clock, settings, pools }: DrainDependencies): Promise<void> {
  await pools.refresh()
  const draining = drainingOf(pools.rules())
  if (draining.length === 0) return
  const active = await activeByPool(store, partition)
  for (const name of draining) {
    const since = poolRuleOf(pools.rules(), name).drainingSince ?? 0
    const isOver = settings.poolDrainTimeoutMs > 0 && since + settings.poolDrainTimeoutMs <= clock.now()
    // Somebody may have put it back while its work was counted.
    if (isOver || (active.get(name) ?? 0) === 0)
      await pools.change({ name, status: 'inactive' }, ({ status }) => status === 'draining')
  }
}
