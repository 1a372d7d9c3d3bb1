/** Workflow files. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `library.*`. */
export const libraryHandlers = (
  deps: HandlerDeps,
): Handlers<'library.list' | 'library.read' | 'library.look' | 'library.save'> => ({
  'library.list': () => deps.library.list(),
  'library.read': async ({ path }) => {
    await deps.customTasks.look()
    return deps.library.read(path)
  },
  'library.look': async ({ path, etag }) => ({ changed: await deps.library.look(path, etag) }),
  'library.save': (input) => deps.library.save(input),
})
