/** Whether the shown run has a worker of this machine that may be killed. */

import type { RunsState } from './runs-store.ts'
import { isUnderWay } from './runs-store.ts'
import { onMocks } from './site.ts'

/** A run of this machine's engine that has not ended; runs of a cluster are left alone. */
export function mayCrash({ current }: Pick<RunsState, 'current'>): boolean {
  return current !== null && current.pulled === null && current.site === null && isUnderWay(current)
}

/** The cluster whose runners do the shown run: nobody's process is killed there from here. Null for any other run. */
export function leftAlone({ current }: Pick<RunsState, 'current'>): string | null {
  const name = current?.site?.name ?? null
  return name === onMocks.name ? null : name
}

/** Also afterwards: then its report can be read. */
export const mayReadCrash = ({ current }: Pick<RunsState, 'current'>): boolean =>
  current !== null && current.pulled === null && current.site === null && current.live.replay.run !== null
