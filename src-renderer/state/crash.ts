/** Whether the shown run has a worker of this machine that may be killed. */

import type { RunsState } from './runs-store.ts'
import { isUnderWay } from './runs-store.ts'

/** A run of this machine's engine that has not ended; runs of a cluster are left alone. */
export function mayCrash({ current }: Pick<RunsState, 'current'>): boolean {
  return current !== null && current.pulled === null && current.site === null && isUnderWay(current)
}

/** Also afterwards: then its report can be read. */
export const mayReadCrash = ({ current }: Pick<RunsState, 'current'>): boolean =>
  current !== null && current.pulled === null && current.site === null && current.live.replay.run !== null
