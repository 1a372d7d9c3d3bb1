/** Who works for the engine. */

import { pageSizeMax } from '../../model/limits.ts'
import { overloadLimitsOf, runnerStandings } from '../runner-standings.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

type RunnerMethods =
  | 'runners.list'
  | 'pools.list'
  | 'pools.set'
  | 'tenants.list'
  | 'tenants.set'
  | 'atomicService.status'

/** Handlers of `runners.*`, `pools.*` and `tenants.*`. */
export const runnerHandlers = ({ engine, settings }: HandlerDeps): Handlers<RunnerMethods> => ({
  'atomicService.status': ({ limit }) => engine.atomicService(limit),
  'pools.list': async () => ({ pools: await engine.pools.list() }),
  'pools.set': async (change) => ({ pool: await engine.pools.change(change) }),
  'tenants.list': async () => ({ tenants: await engine.tenants.list() }),
  'tenants.set': async (change) => ({ tenant: await engine.tenants.change(change) }),
  'runners.list': async () => {
    const page = { after: null, limit: pageSizeMax }
    const runners = await engine.store.list(0, 'runners', { filter: null, page })
    return { runners, now: engine.now(), standings: runnerStandings(runners, overloadLimitsOf(settings)) }
  },
})
