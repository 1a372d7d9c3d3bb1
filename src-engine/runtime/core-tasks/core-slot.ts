/**
 * A slot beside the others, for the engine's own tasks alone: however much users' work there is, and whatever
 * pools a runner belongs to, recovery is never behind it in the line.
 */

import { recordOfThrown } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import { isPoolActive } from '../../model/pools.ts'
import { defaultPool } from '../../model/workflow.ts'
import { createBeginClaimed } from '../begin-claimed.ts'
import type { PermitLines } from '../permits/permit-lines.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import { recoveryTaskKind } from './recovery-task.ts'

export interface CoreSlot {
  readonly start: () => void
  readonly stop: () => void
}

/** Looks at an interval, and only where the runner's other slots would not have it. */
export function createCoreSlot(
  dependencies: RunnerDependencies,
  runner: Runner,
  lines: () => PermitLines,
): CoreSlot {
  const { clock, log, settings, executions, pools } = dependencies
  const begin = createBeginClaimed(dependencies, runner, lines)
  let running = false
  let current: InvocationId | null = null
  let cancel: () => void = () => {}
  const isBusy = (): boolean => current !== null && executions.get(current) !== undefined
  const look = async (): Promise<void> => {
    const { slots } = dependencies
    const isServed = settings.pools.includes(defaultPool) && isPoolActive(pools.rules(), defaultPool)
    if ((isServed && slots.free() > 0) || isBusy()) return
    slots.take(1)
    const claimed = await claimCore(dependencies).catch((thrown: unknown) => {
      log.warn('claim.failed', { error: recordOfThrown(thrown).message })
      return null
    })
    if (claimed === null) slots.putBack(1)
    else {
      current = claimed.id
      begin(claimed)
    }
  }
  const later = (): void => {
    cancel = clock.after(settings.pollIntervalMs, () => {
      void look().finally(() => {
        if (running) later()
      })
    })
  }
  return {
    start: () => {
      running = true
      later()
    },
    stop: () => {
      running = false
      cancel()
    },
  }
}

async function claimCore({ store, partition, runnerId, clock, settings }: RunnerDependencies) {
  const { claimed } = await store.claim({
    partition,
    runnerId,
    limit: 1,
    now: clock.now(),
    ttlMs: settings.claimTtlMs,
    pools: [defaultPool],
    capabilities: [recoveryTaskKind],
    labels: [],
    tags: [],
    agingMs: settings.agingIntervalMs,
    invocationIds: null,
  })
  return claimed[0]?.invocation ?? null
}
