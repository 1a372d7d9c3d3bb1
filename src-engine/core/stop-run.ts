/** A step that ends the whole run: as succeeded, failed or cancelled. */

import type { AttemptRecord } from '../model/attempt.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { errorRecord } from '../model/errors.ts'
import type { InvocationRecord, Reused, StoppedAfter } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import { pausedNoMore } from './control/breakpoints.ts'
import { dispatchWith } from './control/hold.ts'
import type { Draft } from './draft.ts'
import { changeRun, moveInvocation } from './draft.ts'
import { failureAt, noteFailure } from './stopping.ts'

export interface StopEnd {
  readonly kind: 'stops'
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  readonly output: Payload
  /** With `failed`: what the run failed with. */
  readonly error: ErrorRecord
  /** The condition of a step that ended it by what it gave; absent for a stop step. */
  readonly condition?: string
  /** Whose result such a step took over; absent where it ran. */
  readonly reused?: Reused
}

/** The end of a step whose condition holds for what it gave. */
export function stopsAfter(
  { nodeId }: Pick<InvocationRecord, 'nodeId'>,
  { condition, status }: StoppedAfter,
  given: { readonly output: Payload; readonly reused: Reused | undefined },
): StopEnd {
  const message = `The run was ended after “${nodeId}”, because this is true: ${condition}`
  const stopped = errorRecord('run_stopped', { message })
  const { output, reused } = given
  const end = { kind: 'stops', status, output, error: stopped, condition } as const
  return reused === undefined ? end : { ...end, reused }
}

/** The step itself succeeds; the rest of the run is cancelled when the decision settles. */
export function stopRun(
  draft: Draft,
  record: InvocationRecord,
  stopped: { readonly end: StopEnd; readonly input: Payload | null; readonly attempt: AttemptRecord },
): void {
  const { end, input, attempt } = stopped
  moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    set: { input, output: end.output, ports: [], error: null, ...whyOf(record, end) },
    attempt,
  })
  const { run } = draft
  if (end.status === 'failed') {
    noteFailure(draft, failureAt(record, end.error), '')
  } else if (run.cancelRequestedAt !== null || run.output !== null) return
  // An output that is there before the end is what the run succeeds with.
  else if (end.status === 'succeeded') changeRun(draft, { output: end.output })
  else changeRun(draft, { cancelRequestedAt: draft.context.now, ...pausedNoMore(draft.run) })
}

/** What the record of a step says that ended its run by what it gave; nothing for a stop step, which is there for it. */
function whyOf(record: InvocationRecord, { condition, status, reused }: StopEnd): Partial<InvocationRecord> {
  if (condition === undefined) return {}
  const stopped = { condition, status }
  return { dispatch: dispatchWith(record, reused === undefined ? { stopped } : { stopped, reused }) }
}
