/** Who works for the engine. */

import { pageSizeMax } from '../../model/limits.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `runners.*`. */
export const runnerHandlers = ({ engine }: HandlerDeps): Handlers<'runners.list'> => ({
  'runners.list': async () => {
    const page = { after: null, limit: pageSizeMax }
    const runners = await engine.store.list(0, 'runners', { filter: null, page })
    return { runners, now: engine.now() }
  },
})
