/** The end of an attempt that took over what the step gave in an earlier run. */

import type { AttemptRecord } from '../model/attempt.ts'
import type { InvocationRecord, Reused } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import { dispatchWith } from './control/hold.ts'
import type { Draft } from './draft.ts'
import { moveInvocation } from './draft.ts'
import { propagateEnd } from './fail-finally.ts'

export interface ReusedEnd {
  readonly kind: 'reused'
  readonly output: Payload
  readonly ports: readonly string[] | null
  readonly reused: Reused
}

/** Done, without having run: the record says whose result it is. */
export function reuse(
  draft: Draft,
  record: InvocationRecord,
  ended: { readonly end: ReusedEnd; readonly input: Payload | null; readonly attempt: AttemptRecord },
): void {
  const { end, input, attempt } = ended
  const { output, ports, reused } = end
  moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    cause: { kind: 'reused', by: reused.from, detail: null },
    set: { input, output, ports, error: null, dispatch: dispatchWith(record, { reused }) },
    attempt,
  })
  propagateEnd(draft, record)
}
