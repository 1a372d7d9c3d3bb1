/** The safety policy. */

import type { PolicyApi } from '../../protocol/policy.ts'
import { personHere } from '../person.ts'
import type { HandlerDeps, Handlers } from './contract.ts'

/** Handlers of `policy.*`. */
export const policyHandlers = ({ engine: { policy } }: HandlerDeps): Handlers<keyof PolicyApi> => ({
  'policy.get': () => policy.view(),
  'policy.set': (change) => policy.set({ ...change, by: change.by ?? personHere() }),
  'policy.ofStep': (asked) => policy.ofStep(asked),
  'policy.test': (trial) => policy.test(trial),
  'policy.history': () => policy.history(),
  'policy.rollback': (change) => policy.rollback({ ...change, by: change.by ?? personHere() }),
  'policy.replay': (asked) => policy.replay(asked),
})
