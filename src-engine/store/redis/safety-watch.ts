/** Whether masters have their replicas is looked at again and again: one that is lost later is told. */

import type { FailoverSafety } from '../../model/failover-safety.ts'
import type { Millis } from '../../model/time.ts'
import { replicationOf } from './journal/replica-marks.ts'
import type { RedisClock } from './redis-options.ts'
import type { Router } from './router.ts'

/** A replica that only starts again is back by then. */
const lookMs: Millis = 5_000

interface SafetyWatchParts {
  readonly router: Pick<Router, 'askNode' | 'topology'>
  readonly clock: RedisClock
  /** As it was found when the store was opened. The mode stays: what was asked for is kept to. */
  readonly safety: FailoverSafety
  /** Called with each change. */
  readonly changed: (safety: FailoverSafety) => void
}

/** Begins to look; returns the way to stop. Who asked for fast knows, and isn't told. */
export function watchSafety({ router, clock, safety, changed }: SafetyWatchParts): () => void {
  if (safety.why === 'asked') return () => undefined
  let current: FailoverSafety = { ...safety, alone: safety.alone.toSorted() }
  let cancel: () => void = () => undefined
  let stopped = false
  const look = async (): Promise<void> => {
    const alone = await mastersAlone(router, current.alone)
    if (stopped) return
    if (alone.join() !== current.alone.join()) {
      current = { ...current, alone }
      changed(current)
    }
    wait()
  }
  const wait = (): void => {
    cancel = clock.after(lookMs, () => void look())
  }
  wait()
  return () => {
    stopped = true
    cancel()
  }
}

/** Of one that doesn't answer nothing new is known. */
async function mastersAlone(
  router: SafetyWatchParts['router'],
  before: readonly string[],
): Promise<readonly string[]> {
  const looks = router.topology().masters.map(async (address): Promise<string | null> => {
    try {
      const found = replicationOf(String(await router.askNode(address, ['INFO', 'replication'])))
      return found.acknowledged === null ? address : null
    } catch {
      return before.includes(address) ? address : null
    }
  })
  return (await Promise.all(looks)).filter((address) => address !== null).sort()
}
