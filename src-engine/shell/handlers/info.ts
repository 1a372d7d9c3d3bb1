/** What the engine says about itself. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `engine.*`. */
export const infoHandlers = (deps: HandlerDeps): Handlers<'engine.info'> => ({
  'engine.info': () => Promise.resolve({ ...deps.info, recoveredCount: deps.engine.recoveredCount }),
})
