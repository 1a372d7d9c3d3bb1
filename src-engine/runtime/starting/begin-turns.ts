/**
 * Runs that begin in one turn of the event loop. All that a turn decides is in memory until its commits are answered: of
 * fifty runs whose steps take no time, that is more than the collector of young objects leaves alone, and it copies all of
 * it twice. So many begin in a turn, and the others in those that follow, while the servers have the first.
 */

import type { Clock } from '../../model/ports.ts'

/** Eight take the servers' time, thirty-two the collector's. */
const runsMax = 16

export interface BeginTurns {
  /** Null when a run may begin now, or resolves when it may: first come, first served. */
  readonly enter: () => Promise<void> | null
}

export function createBeginTurns({ turn: plan }: Pick<Clock, 'turn'>): BeginTurns {
  // Where time is virtual there is nothing to gain.
  if (plan === undefined) return { enter: () => null }
  let begun = 0
  const waiting: (() => void)[] = []
  const turn = (): void => {
    const next = waiting.splice(0, runsMax)
    begun = next.length
    if (begun > 0) plan(turn)
    for (const begin of next) begin()
  }
  return {
    enter() {
      if (begun === runsMax) return new Promise((resolve) => waiting.push(resolve))
      if (begun === 0) plan(turn)
      begun += 1
      return null
    },
  }
}
