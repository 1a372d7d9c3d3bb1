/**
 * Where new runs are best begun. What is committed to one partition at about the same time shares a script, so runs
 * that are under way together are begun in few partitions, as many on each master and each master in its turn; which
 * ones changes all the time, so that in the long run all have the same.
 */

import type { Router } from './router.ts'
import { slotOf } from './slots.ts'
import type { Topology } from './topology.ts'

/** More masters take turns: what one process has under way would be too thin for all of them. */
const mastersMax = 3
/**
 * One process begins its runs in as many partitions at a time, in two of a master where there are few: while one is
 * written, another is answered. More of them would share less.
 */
const partitionsAtOnce = 3
/** Runs that are begun before the next partition takes the place of one of them. */
export const runsPerTurn = 256

export interface PlacingParts {
  readonly router: Pick<Router, 'topology' | 'ownerOf'>
  /** The slot of each partition. */
  readonly slots: readonly number[]
  /** Processes of different names begin with different partitions. */
  readonly writerId: string
}

const none: ReadonlySet<number> = new Set()

/** Gives the partitions for the next run. */
export function createPlacing({ router, slots, writerId }: PlacingParts): () => ReadonlySet<number> {
  let topology: Topology | null = null
  let byMaster: readonly (readonly number[])[] = []
  let chosen: readonly ReadonlySet<number>[] = []
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
      chosen = windowsOf(byMaster, turn)
      turn += 1
      runsLeft = runsPerTurn
    }
    runsLeft -= 1
    return chosen[runsLeft % chosen.length] ?? none
  }
}

/** By master. Each turn one partition leaves and one joins, or one master does. */
function windowsOf(byMaster: readonly (readonly number[])[], turn: number): readonly ReadonlySet<number>[] {
  const masters = byMaster.length
  const place = masters <= mastersMax ? turn : Math.floor(turn / masters)
  const chosen = masters <= mastersMax ? byMaster : inTurn(byMaster, turn, mastersMax)
  const perMaster = Math.min(2, Math.ceil(partitionsAtOnce / chosen.length))
  return chosen.map((group) => new Set(inTurn(group, place, perMaster)))
}

const inTurn = <Item>(all: readonly Item[], from: number, count: number): readonly Item[] =>
  Array.from({ length: Math.min(count, all.length) }, (_, index) => all[(from + index) % all.length]).filter(
    (item) => item !== undefined,
  )
