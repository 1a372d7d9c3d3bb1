/** How long an attempt has worked: the time in which its program stood still doesn't count. */

import type { InvocationRecord } from '../model/invocation.ts'
import type { Instant } from '../model/time.ts'

/** Whether its program is going on, for the first time or after a pause. */
export const isAtWork = ({ status }: InvocationRecord): boolean =>
  status === 'RUNNING' || status === 'RESUMED'

/** The instant from which the time of what is at work counts, with pauses taken out; null before it began. */
export const workingSince = ({ status, startedAt, dispatch }: InvocationRecord): Instant | null =>
  // An earlier attempt may have left one.
  status === 'RESUMED' ? (dispatch?.workingSince ?? startedAt) : startedAt
