/** Who decided what. */

import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `audit.*`. */
export const auditHandlers = ({ engine }: HandlerDeps): Handlers<'audit.list'> => ({
  'audit.list': (query) => engine.audit.list(query),
})
