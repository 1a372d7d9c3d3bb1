/** What a process does when it can't be sure of the time any more. */

import type { EngineParts } from '../engine-parts.ts'

/** Lets the gate renew, and has everything looked at that waits for an instant. */
export function guardLeases(parts: EngineParts): void {
  const { dependencies, heartbeat, timers, claimer, chores } = parts
  dependencies.gate.guard({
    renew: heartbeat.beat,
    awoke: () => {
      dependencies.executor.deadlines.recheck()
      timers.recheck()
      claimer.poke()
      chores?.recheck()
    },
  })
}
