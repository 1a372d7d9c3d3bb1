/** The workflows that come with Sagasmith. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `samples.*`. */
export const sampleHandlers = (deps: HandlerDeps): Handlers<'samples.list' | 'samples.open'> => ({
  'samples.list': () => deps.samples.list(),
  'samples.open': async ({ name }) => {
    const path = await deps.samples.copy(name)
    // As it came along: a copy that was changed by others may reach further.
    const bundled = (await deps.samples.list()).find((sample) => sample.name === name)
    if (bundled !== undefined) await deps.documentTrust.trust(bundled.document, 'sample')
    return deps.library.read(path)
  },
})
