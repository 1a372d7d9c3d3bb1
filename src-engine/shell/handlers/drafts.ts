/** The journal of unsaved documents, and what can be undone of all. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `drafts.*` and `undo.*`. */
export const draftHandlers = (
  deps: HandlerDeps,
): Handlers<
  'drafts.save' | 'drafts.change' | 'drafts.list' | 'drafts.remove' | 'undo.append' | 'undo.read'
> => ({
  'undo.append': async (input) => ({ held: await deps.undoLogs.append(input) }),
  'undo.read': async ({ id }) => ({ lines: await deps.undoLogs.read(id) }),
  'drafts.save': (input) => deps.drafts.save(input),
  'drafts.change': (input) => deps.drafts.change(input),
  'drafts.list': () => deps.drafts.list(),
  'drafts.remove': async ({ id }) => {
    await deps.drafts.remove(id)
    return {}
  },
})
