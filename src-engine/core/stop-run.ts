/** A step that ends the whole run: as succeeded, failed or cancelled. */

import type { AttemptRecord } from '../model/attempt.ts'
import type { ErrorRecord } from '../model/errors.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import { pausedNoMore } from './control/breakpoints.ts'
import type { Draft } from './draft.ts'
import { changeRun, moveInvocation } from './draft.ts'
import { failureAt, noteFailure } from './stopping.ts'

export interface StopEnd {
  readonly kind: 'stops'
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  readonly output: Payload
  /** With `failed`: what the run failed with. */
  readonly error: ErrorRecord
}

/** The step itself succeeds; the rest of the run is cancelled when the decision settles. */
export function stopRun(
  draft: Draft,
  record: InvocationRecord,
  stopped: { readonly end: StopEnd; readonly input: Payload | null; readonly attempt: AttemptRecord },
): void {
  const { end, input, attempt } = stopped
  const set = { input, output: end.output, ports: [], error: null }
  moveInvocation(draft, record.id, { to: 'SUCCESS', set, attempt })
  const { run } = draft
  if (end.status === 'failed') {
    noteFailure(draft, failureAt(record, end.error), '')
  } else if (run.cancelRequestedAt !== null || run.output !== null) return
  // An output that is there before the end is what the run succeeds with.
  else if (end.status === 'succeeded') changeRun(draft, { output: end.output })
  else changeRun(draft, { cancelRequestedAt: draft.context.now, ...pausedNoMore(draft.run) })
}
