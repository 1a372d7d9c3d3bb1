/** The inbox of what waits for people. */

import { personHere } from '../person.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `approvals.*`. */
export const approvalHandlers = ({
  engine,
}: HandlerDeps): Handlers<'approvals.list' | 'approvals.show' | 'approvals.decide' | 'approvals.watch'> => ({
  'approvals.list': (request) => engine.approvals.list(request),
  'approvals.show': (request) => engine.approvals.show(request),
  'approvals.decide': (request) => engine.approvals.decide({ ...request, by: request.by ?? personHere() }),
  'approvals.watch': (request) => engine.approvals.watch(request),
})
