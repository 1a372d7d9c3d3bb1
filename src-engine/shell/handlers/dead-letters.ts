/** Dead letters and what is to be forgotten. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `deadLetters.*` and `store.prune`. */
export const deadLetterHandlers = ({
  engine,
}: HandlerDeps): Handlers<
  'deadLetters.list' | 'deadLetters.get' | 'deadLetters.replay' | 'deadLetters.discard' | 'store.prune'
> => ({
  'deadLetters.list': (query) => engine.deadLetters.list(query),
  'deadLetters.get': ({ id }) => engine.deadLetters.show(id),
  'deadLetters.replay': (request) => engine.deadLetters.replay(request),
  'deadLetters.discard': async ({ id, by }) => {
    await engine.deadLetters.discard(id, by)
    return {}
  },
  'store.prune': () => engine.pruner.prune(),
})
