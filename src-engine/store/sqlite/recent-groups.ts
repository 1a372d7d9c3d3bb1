/**
 * The groups that this connection committed last, for those who follow the feed: they are handed on as they were
 * written. Kept only while somebody reads them, and only as long as they are an unbroken end of the feed: whatever
 * is doubtful is forgotten, and the data is read instead.
 */

import type { EventDraft } from '../../model/event.ts'
import type { PackedGroup } from '../../model/packed-group.ts'
import { readGroup } from '../../model/packed-group.ts'
import { isUsual } from '../../model/usual-events.ts'

/** A follower reads every few milliseconds; who is further behind reads the data. */
const groupsMax = 4_096
/** Of all kept texts together. */
const charactersMax = 16_000_000

/** A group, and the place of its first event counted over all epochs. */
export interface PlacedGroup {
  readonly position: number
  readonly group: PackedGroup
}

/** A group that was just written. */
export interface WrittenGroup {
  readonly position: number
  readonly group: Omit<PackedGroup, 'drafts'>
}

export interface RecentGroups {
  readonly add: (written: WrittenGroup, drafts: readonly EventDraft[]) => void
  /**
   * The groups with an event at or after a position, as long as `end` is the last one; null when some of them aren't
   * kept. Whoever asks is expected to ask again.
   */
  readonly from: (position: number, end: number) => readonly PlacedGroup[] | null
  readonly forget: () => void
}

export function createRecentGroups(): RecentGroups {
  return new Recent()
}

class Recent implements RecentGroups {
  #kept: PlacedGroup[] = []
  #characters = 0
  /** Groups since somebody asked; more than are kept when nobody is expected to. */
  #unread = groupsMax + 1

  /**
   * Of what its events say only the text is kept, and what few need of it besides: as long as they are at hand, thousands of
   * records would be carried along by each collection of garbage.
   */
  add({ position, group }: WrittenGroup, drafts: readonly EventDraft[]): void {
    if (this.#unread > groupsMax) return
    this.#unread += 1
    if (this.#unread > groupsMax) return this.forget()
    if (position !== this.#end() + 1) this.forget()
    this.#kept.push({ position, group: readGroup({ ...group, isUsual: drafts.every(isUsual) }) })
    this.#characters += group.text.length
    // By halves, so that not every group moves all others.
    if (this.#kept.length > 2 * groupsMax || this.#characters > charactersMax) this.#shed()
  }

  from(position: number, end: number): readonly PlacedGroup[] | null {
    this.#unread = 0
    // Nothing new: nobody has to look.
    if (position > end) return []
    const [first] = this.#kept
    if (first === undefined || this.#end() !== end || position < first.position) return null
    return this.#kept.slice(this.#placeOf(position))
  }

  forget(): void {
    this.#kept = []
    this.#characters = 0
  }

  #shed(): void {
    this.#kept = this.#kept.slice(this.#kept.length >> 1)
    this.#characters = this.#kept.reduce((sum, { group }) => sum + group.text.length, 0)
  }

  /** The position of the last event that is kept. */
  #end(): number {
    const last = this.#kept.at(-1)
    return last === undefined ? Number.NaN : endOf(last)
  }

  /** The index of the group that a position lies in. */
  #placeOf(position: number): number {
    let low = 0
    let high = this.#kept.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      const placed = this.#kept[middle]
      if (placed !== undefined && endOf(placed) < position) low = middle + 1
      else high = middle
    }
    return low
  }
}

const endOf = ({ position, group }: PlacedGroup): number => position + group.count - 1
