/** What the engine says about itself. */

import { partitionReach } from '../partition-reach.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `engine.*`. */
export const infoHandlers = (deps: HandlerDeps): Handlers<'engine.info'> => ({
  'engine.info': () =>
    Promise.resolve({
      ...deps.info,
      reach: partitionReach(deps.engine.store),
      recoveredCount: deps.engine.recoveredCount,
    }),
})
