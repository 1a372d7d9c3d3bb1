/** One checkpoint raises a version once, however many moves it has, and however many decisions it is of. */

import type { InvocationId } from '../model/ids.ts'
import type { DecisionContext, Draft } from './draft.ts'
import type { RunState } from './run-state.ts'

export const raisedRunVersion = ({ run }: RunState, { continues = null }: DecisionContext): number =>
  continues === null ? run.version + 1 : run.version

export function raisedVersion({ state, context }: Draft, id: InvocationId): number {
  const version = state.invocations.get(id)?.version ?? 0
  return context.continues?.has(id) === true ? version : version + 1
}
