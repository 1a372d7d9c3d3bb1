/**
 * Permits at other homes that operations took which come back late. While nobody knows of their holder a repair gives
 * them back, and others may have them by now: whoever comes back then takes them again first.
 */

import type { SlotTake } from '../../../model/checkpoint.ts'
import type { Instant, Millis } from '../../../model/time.ts'
import type { Unit } from '../unit.ts'
import type { JournalEntry } from './entry.ts'

/** Before that no repair gives a permit back that only its home knows, and wrong clocks are allowed for. */
export const lateMs: Millis = 20_000

/** Those of the entry; not what one of those that come back with it gives back, as it did before. */
export function lateTakes(
  { unit, partition, number, notedAt }: JournalEntry,
  waiting: readonly JournalEntry[],
  { now, homeOf }: { readonly now: Instant; readonly homeOf: (key: string) => number },
): readonly SlotTake[] {
  // A clock that was set back tells nothing.
  const isLate = now < notedAt || now >= notedAt + lateMs
  if (!isLate) return []
  const isOver = ({ key, holder }: SlotTake): boolean =>
    waiting.some(
      (other) =>
        other.number > number &&
        other.unit.releases.some((release) => release.key === key && release.holder === holder),
    )
  // One that comes free by itself is given back by nobody.
  return unit.takes.filter(
    (take) => take.expiresAt === null && homeOf(take.key) !== partition && !isOver(take),
  )
}

/** The same under a name that the write has for itself: to take them twice is to take them once. */
export const takenAgain = (takes: readonly SlotTake[], { tag }: Unit): readonly SlotTake[] =>
  takes.map((take) => ({ ...take, by: encodeURIComponent(`again:${tag}`) }))
