/** For how long permits that were taken at their homes are used without a second look. */

import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'

/** A repair waits ten seconds longer before it gives back what nobody uses; a home that is being replaced answers sooner. */
const usableMs: Millis = 20_000

/** From now on: whether it has been for too long, as for a process that stood still. A clock that was set back tells nothing. */
export function tooLongAfter(clock: Pick<Clock, 'now'> | null): () => boolean {
  if (clock === null) return () => false
  const since = clock.now()
  return () => {
    const passed = clock.now() - since
    return passed < 0 || passed > usableMs
  }
}
