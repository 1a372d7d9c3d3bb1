/** Permits at the home of their key, where holders of all partitions are counted. */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import type { Instant } from '../../model/time.ts'
import type { RawStore, TakeAnswer } from '../raw-store.ts'
import type { Routes } from './routes.ts'
import { byPartition } from './routes.ts'

/** Good for one take only. */
export interface FencedRelease extends SlotRelease {
  readonly by: string | null
}

export interface HomePermits {
  /** All or none. `given` are those that the taker is about to give back: they don't count; `by` is the taker. */
  readonly take: (
    takes: readonly SlotTake[],
    asked: { readonly at: Instant; readonly by: string; readonly given?: readonly SlotRelease[] },
  ) => Promise<TakeAnswer>
  /** What is another one's take by now stays. */
  readonly give: (releases: readonly FencedRelease[]) => Promise<void>
  /**
   * The same releases, each good only for the take that its home knows now. Whoever gives back after a commit names
   * them before it: from the commit on the same holder may be claimed anew, whose permit a late giver must not take.
   */
  readonly fenced: (releases: readonly SlotRelease[]) => Promise<readonly FencedRelease[]>
  /**
   * Gives back what was taken for something that then wasn't written in its partition; unless somebody else has
   * written it there for the same holder, or has taken it for that since, whose permit it is now.
   */
  readonly undo: (partition: number, taken: readonly SlotTake[]) => Promise<void>
}

/**
 * Each take leaves the name of its taker at the permit's home, also where the holder had it already. Between the look
 * whether the holder has it and the giving back another may take it: only the home can tell them apart.
 */
export function createHomePermits(raw: RawStore, routes: Routes): HomePermits {
  const give = async (releases: readonly FencedRelease[]): Promise<void> => {
    const groups = byPartition(releases, ({ key }) => routes.ofKey(key))
    await Promise.all([...groups].map(([partition, group]) => raw.releaseSlots(partition, group)))
  }
  let count = 0
  return {
    give,
    async undo(partition, taken) {
      for (const slot of taken) {
        const held = await raw.load(partition, 'slotHolders', { key: slot.key })
        if (!held.some(({ holder }) => holder === slot.holder)) await give([fencedBy(slot, slot.by)])
      }
    },
    fenced: (releases) =>
      Promise.all(
        releases.map(async (release) => {
          const held = await raw.load(routes.ofKey(release.key), 'slotHolders', { key: release.key })
          return fencedBy(release, held.find(({ holder }) => holder === release.holder)?.by)
        }),
      ),
    async take(takes, { at, by: taker, given = [] }) {
      if (takes.length === 0) return { kind: 'taken', fresh: [] }
      count += 1
      const by = encodeURIComponent(`${taker}:${count}`)
      const fresh: (SlotTake & FencedRelease)[] = []
      // In the order of the keys' homes for everybody, so that two takers don't keep each other out.
      const groups = [...byPartition(takes, ({ key }) => routes.ofKey(key))].sort(([a], [b]) => a - b)
      for (const [partition, group] of groups) {
        const asked = group.map((take) => ({ ...withRoom(take, given), by }))
        const answer = await raw.takeSlots(partition, { takes: asked, at })
        if (answer.kind === 'slot-taken') {
          await give(fresh)
          return answer
        }
        fresh.push(...answer.fresh.map((slot) => ({ ...slot, by })))
      }
      return { kind: 'taken', fresh }
    },
  }
}

/** A take that nobody is named for is good for null. */
export const fencedBy = ({ key, holder }: SlotRelease, by: string | null | undefined): FencedRelease => ({
  key,
  holder,
  by: by ?? null,
})

/** A permit of the same key that another holder is about to give back leaves its place to this one. */
function withRoom(take: SlotTake, given: readonly SlotRelease[]): SlotTake {
  const more = given.filter(({ key, holder }) => key === take.key && holder !== take.holder).length
  return more === 0 ? take : { ...take, limit: take.limit + more }
}

/** Who holds permits of a key; who took them for their holders is between the homes and their takers. */
export async function holdersAtHome(
  raw: RawStore,
  routes: Routes,
  key: string,
): Promise<readonly SlotTake[]> {
  const slots = await raw.load(routes.ofKey(key), 'slotHolders', { key })
  return slots.map(({ holder, limit, expiresAt }) => ({ key, holder, limit, expiresAt }))
}
