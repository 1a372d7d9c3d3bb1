/** Who works for the engine. */

import { pageSizeMax } from '../../model/limits.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `runners.*` and `pools.*`. */
export const runnerHandlers = ({
  engine,
}: HandlerDeps): Handlers<'runners.list' | 'pools.list' | 'pools.set' | 'atomicService.status'> => ({
  'atomicService.status': ({ limit }) => engine.atomicService(limit),
  'pools.list': async () => ({ pools: await engine.pools.list() }),
  'pools.set': async (change) => ({ pool: await engine.pools.change(change) }),
  'runners.list': async () => {
    const page = { after: null, limit: pageSizeMax }
    const runners = await engine.store.list(0, 'runners', { filter: null, page })
    return { runners, now: engine.now() }
  },
})
