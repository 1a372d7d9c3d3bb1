/** How evenly partitions are spread over masters, and which slots would have to move for it. */

import type { Millis } from '../../model/time.ts'

/** A slot with partitions, and the master that has it; null for nobody. */
export interface PlacedSlot {
  readonly slot: number
  readonly partitions: readonly number[]
  readonly master: string | null
}

/** One slot on its way from master to master. */
export interface SlotMove {
  readonly slot: number
  readonly partitions: readonly number[]
  readonly from: string
  readonly to: string
}

/** How long moving some keys may take: one with all events of a partition is moved at once, however large. */
export const migrateMs: Millis = 60_000

/** A master may have so much more than the mean; a finer spread is worth no move. */
const spreadGoal = 1.15

export interface Spread {
  readonly byMaster: ReadonlyMap<string, number>
  /** What the fullest has, as a multiple of the mean; 1 is even. */
  readonly ratio: number
  /** Whether moving slots would help: it is beyond the goal, and could be better. */
  readonly isUneven: boolean
}

/** Every master counts, also one that has nothing. */
export function spreadOf(slots: readonly PlacedSlot[], masters: readonly string[]): Spread {
  const byMaster = countBy(slots, masters)
  const total = [...byMaster.values()].reduce((sum, count) => sum + count, 0)
  const most = Math.max(0, ...byMaster.values())
  const mean = masters.length === 0 ? 0 : total / masters.length
  const ratio = mean === 0 ? 1 : most / mean
  return { byMaster, ratio, isUneven: ratio > spreadGoal && most > Math.ceil(mean) }
}

/**
 * The fewest moves that make it even: from the fullest to the emptiest until they differ by one at most. Low
 * partitions stay where they are: the first is the home of what belongs to no run.
 */
export function planMoves(slots: readonly PlacedSlot[], masters: readonly string[]): readonly SlotMove[] {
  const byMaster = countBy(slots, masters)
  const movable = new Map(masters.map((master) => [master, slots.filter((one) => one.master === master)]))
  for (const own of movable.values()) own.sort((a, b) => firstOf(a) - firstOf(b))
  const moves: SlotMove[] = []
  for (;;) {
    const inOrder = [...byMaster].sort(([, a], [, b]) => a - b)
    const [emptiest, fullest] = [inOrder[0], inOrder.at(-1)]
    if (emptiest === undefined || fullest === undefined) return moves
    const [[to, least], [from, most]] = [emptiest, fullest]
    const own = movable.get(from) ?? []
    // A slot with as many partitions as the two differ by would only change their roles.
    const index = own.findLastIndex(({ partitions }) => partitions.length < most - least)
    const [moved] = index === -1 ? [] : own.splice(index, 1)
    if (moved === undefined) return moves
    const { slot, partitions } = moved
    moves.push({ slot, partitions, from, to })
    byMaster.set(from, most - partitions.length)
    byMaster.set(to, least + partitions.length)
  }
}

const firstOf = ({ partitions }: PlacedSlot): number => partitions[0] ?? 0

function countBy(slots: readonly PlacedSlot[], masters: readonly string[]): Map<string, number> {
  const byMaster = new Map(masters.map((master) => [master, 0]))
  for (const { master, partitions } of slots) {
    if (master === null) continue
    const known = byMaster.get(master)
    if (known !== undefined) byMaster.set(master, known + partitions.length)
  }
  return byMaster
}
