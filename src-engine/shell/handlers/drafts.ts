/** The journal of unsaved documents. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `drafts.*`. */
export const draftHandlers = (
  deps: HandlerDeps,
): Handlers<'drafts.save' | 'drafts.list' | 'drafts.remove'> => ({
  'drafts.save': async (input) => ({ savedAt: await deps.drafts.save(input) }),
  'drafts.list': () => deps.drafts.list(),
  'drafts.remove': async ({ id }) => {
    await deps.drafts.remove(id)
    return {}
  },
})
