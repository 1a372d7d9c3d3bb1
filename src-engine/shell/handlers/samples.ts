/** The workflows that come with Sagasmith. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `samples.*`. */
export const sampleHandlers = (deps: HandlerDeps): Handlers<'samples.list' | 'samples.open'> => ({
  'samples.list': () => deps.samples.list(),
  'samples.open': async ({ name }) => deps.library.read(await deps.samples.copy(name)),
})
