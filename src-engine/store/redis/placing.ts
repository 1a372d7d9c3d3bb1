/**
 * Where new runs are best begun. What is committed to one partition at about the same time shares a script, and what goes to
 * one master shares packets, so runs that are under way together are begun in one partition; which one changes all the time,
 * from master to master, so that in the long run all have the same.
 */

import type { Router } from './router.ts'
import { slotOf } from './slots.ts'
import type { Topology } from './topology.ts'

/**
 * Runs that are begun before the next partition's turn: about as many as a process has under way, so that mostly two
 * partitions are at work, and one is written while another is answered. With more a master would have all of them for longer.
 */
export const runsPerTurn = 48

export interface PlacingParts {
  readonly router: Pick<Router, 'topology' | 'ownerOf'>
  /** The slot of each partition. */
  readonly slots: readonly number[]
  /** Processes of different names begin with different partitions. */
  readonly writerId: string
}

/** Gives the partitions for the next run. */
export function createPlacing({ router, slots, writerId }: PlacingParts): () => ReadonlySet<number> {
  let topology: Topology | null = null
  let byMaster: readonly (readonly number[])[] = []
  let chosen: ReadonlySet<number> = new Set()
  let turn = slotOf(writerId)
  let runsLeft = 0
  return () => {
    const now = router.topology()
    if (now !== topology) {
      topology = now
      const groups = Map.groupBy(slots.keys(), (partition) => router.ownerOf(slots[partition] ?? 0))
      byMaster = [...groups.values()]
      runsLeft = 0
    }
    if (runsLeft === 0) {
      chosen = chosenAt(byMaster, turn)
      turn += 1
      runsLeft = runsPerTurn
    }
    runsLeft -= 1
    return chosen
  }
}

/** Each turn has another master, and once each had its turn, each has another partition. */
function chosenAt(byMaster: readonly (readonly number[])[], turn: number): ReadonlySet<number> {
  const group = byMaster[turn % byMaster.length] ?? []
  const partition = group[Math.floor(turn / byMaster.length) % group.length]
  return new Set(partition === undefined ? [] : [partition])
}
