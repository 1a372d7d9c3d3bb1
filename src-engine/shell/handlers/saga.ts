/** Rollbacks. */

import { personHere } from '../person.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `saga.*`. */
export const sagaHandlers = ({ engine }: HandlerDeps): Handlers<'saga.show' | 'saga.act'> => ({
  'saga.show': ({ runId }) => engine.saga.show(runId),
  'saga.act': (request) => engine.saga.act({ ...request, by: request.by ?? personHere() }),
})
