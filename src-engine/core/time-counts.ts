/** From when on a node's total time counts. */

import type { InvocationRecord } from '../model/invocation.ts'
import type { Instant } from '../model/time.ts'

/** A compensation waits for its rollback as long as it takes: its time begins then. */
export const timeCountsFrom = ({ dispatch, registeredAt }: InvocationRecord): Instant =>
  dispatch?.undoes?.since ?? registeredAt
