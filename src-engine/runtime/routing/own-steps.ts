/** Which steps a runner goes on with itself; about all others the claim in the store decides. */

import type { Claimant } from '../../core/draft.ts'
import type { RunnerId } from '../../model/ids.ts'
import { isPoolActive } from '../../model/pools.ts'
import type { Clock } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import { routeAllows } from '../../store/claim.ts'
import type { Limits } from '../permits/limits.ts'
import type { PolicyParts } from '../policy/create-policy.ts'
import type { PoolBook } from '../pools/pool-book.ts'
import type { TaskHost } from '../task-host.ts'
import { capabilitiesOf } from './capabilities.ts'

export interface OwnStepsDependencies {
  readonly runnerId: RunnerId
  readonly clock: Pick<Clock, 'now'>
  readonly settings: Pick<EngineSettings, 'pools' | 'capabilities' | 'labels' | 'tags'>
  readonly executor: { readonly host: Pick<TaskHost, 'specsByKind'> }
  readonly pools: Pick<PoolBook, 'rules'>
  readonly limits: Pick<Limits, 'leavesAlone'>
  readonly policy: { readonly kernel: Pick<PolicyParts['kernel'], 'isActive'> }
}

export function createOwnSteps({
  settings,
  executor,
  pools,
  limits,
  policy,
  runnerId,
  clock,
}: OwnStepsDependencies): Claimant['accepts'] {
  const { host } = executor
  const capabilities = capabilitiesOf(settings, host)
  const { labels, tags } = settings
  return ({ taskKind, pool, route }) =>
    // Of several pools the preferred one: who works for another leaves it a chance.
    settings.pools.includes(pool) &&
    host.specsByKind.has(taskKind) &&
    isPoolActive(pools.rules(), pool) &&
    limits.leavesAlone(pool) &&
    // Who has to ask first does so between the claim and the beginning.
    !policy.kernel.isActive() &&
    (route === null ||
      routeAllows(route, { pools: settings.pools, capabilities, labels, tags, runnerId, now: clock.now() }))
}
