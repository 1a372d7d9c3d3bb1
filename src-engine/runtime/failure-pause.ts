/** How long a commit that failed waits before it is tried again: the disk may be full for a while. */

import type { Clock } from '../model/ports.ts'

const pausesMs = [100, 250, 500, 1_000, 2_000] as const
const longestMs = 5_000

/** After so many failures in a row before this one. */
export const pauseAfter = (clock: Pick<Clock, 'after'>, failures: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(pausesMs[failures] ?? longestMs, resolve)
  })
