/** One checkpoint raises a version once, however many moves it has, and however many decisions it is of. */

import type { InvocationId } from '../model/ids.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunState } from './run-state.ts'

/** Invocations that a checkpoint writes already, when another decision goes into it. */
export type Written = Pick<ReadonlySet<InvocationId>, 'has'>

/** What of a decision's context tells what its checkpoint has raised before. */
interface Continuing {
  readonly continues?: Written | null
}

/** The same record where its version stays: what runs ahead of its commit is kept until then, each copy of it. */
export const raisedRun = ({ run }: RunState, { continues = null }: Continuing): RunRecord =>
  continues === null ? { ...run, version: run.version + 1 } : run

export function raisedVersion(
  { state, context }: { readonly state: RunState; readonly context: Continuing },
  id: InvocationId,
): number {
  const version = state.invocations.get(id)?.version ?? 0
  return context.continues?.has(id) === true ? version : version + 1
}
