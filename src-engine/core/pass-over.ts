/** The end of an attempt that found that the step is not to run. */

import type { AttemptRecord } from '../model/attempt.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { passedOverCause } from '../model/passed-over.ts'
import type { Payload } from '../model/payload.ts'
import type { Draft } from './draft.ts'
import { moveInvocation, nodeOf } from './draft.ts'
import { propagateEnd } from './fail-finally.ts'

export interface SkippedEnd {
  readonly kind: 'skipped'
  /** The condition that holds, as people wrote it. */
  readonly condition: string
  /** What arrived, for a step that hands it on; null where what follows is skipped, too. */
  readonly output: Payload | null
}

/** Skipped as a branch that wasn't taken, or done with what arrived. */
export function passOver(
  draft: Draft,
  record: InvocationRecord,
  ended: { readonly end: SkippedEnd; readonly attempt: AttemptRecord },
): void {
  const { end, attempt } = ended
  const { condition, output } = end
  const cause = passedOverCause(record, { condition, handsOn: output !== null })
  const set = { cause, error: null, input: null }
  if (output === null) moveInvocation(draft, record.id, { to: 'CANCELLED', cause, set, attempt })
  else
    moveInvocation(draft, record.id, {
      to: 'SUCCESS',
      cause,
      set: { ...set, output, ports: nodeOf(draft, record).passedBy },
      attempt,
    })
  propagateEnd(draft, record)
}
