/** The text of payloads, wherever they are kept. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `payloads.*`. */
export const payloadHandlers = (deps: HandlerDeps): Handlers<'payloads.get'> => ({
  'payloads.get': async ({ payload }) => {
    if (payload.kind === 'inline') return { json: payload.json }
    const bytes = await deps.engine.store.getBlob(payload.hash)
    return { json: Buffer.from(bytes).toString('utf8') }
  },
})
