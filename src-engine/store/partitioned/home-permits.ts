/** Permits at the home of their key, where holders of all partitions are counted. */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import type { Clock } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import type { RawStore } from '../raw-store.ts'
import type { FencedRelease } from './fenced-release.ts'
import { fencedBy } from './fenced-release.ts'
import { createLateReturns } from './late-returns.ts'
import { soonMs } from './reach.ts'
import type { Routes } from './routes.ts'
import { byPartition } from './routes.ts'

/** A release that is good for the takes that its home knew before the commit that gives it back. */
export interface NamedRelease extends FencedRelease {
  /**
   * Whether the holder had the permit after the names were read: then they are of this hold, whoever else has written
   * the same meanwhile, and not of one who claims the holder anew.
   */
  readonly isOfHold: boolean
}

/** A take, with the name that it left at the home. */
export interface NamedTake extends SlotTake {
  readonly by: string
  /** Whether the home knew nothing of its holder before. */
  readonly isFresh: boolean
}

/** Whether permits were taken: all of them, or none. */
export type HomeAnswer =
  | { readonly kind: 'taken'; readonly takes: readonly NamedTake[] }
  | { readonly kind: 'slot-taken'; readonly key: string; readonly holders: readonly string[] }

export interface HomePermits {
  /** All or none. `given` are those that the taker is about to give back: they don't count. */
  readonly take: (
    takes: readonly SlotTake[],
    asked: { readonly at: Instant; readonly given?: readonly SlotRelease[] },
  ) => Promise<HomeAnswer>
  /** What another one has taken too stays. What can't be given back now is given back later; never throws. */
  readonly give: (releases: readonly FencedRelease[]) => Promise<void>
  /** The same once their holders have them no more: whether that was written could not be said. */
  readonly giveOnceFree: (releases: readonly FencedRelease[]) => void
  /**
   * The same releases, each good only for the takes that its home knows now. Whoever gives back after a commit names
   * them before it: from the commit on the same holder may be claimed anew, whose permit a late giver must not take.
   */
  readonly fenced: (releases: readonly SlotRelease[]) => Promise<readonly NamedRelease[]>
  /** Takes back the names of takes for something that then wasn't written. */
  readonly undo: (taken: readonly NamedTake[]) => Promise<void>
  /** Tries once to give back what waits for it. */
  readonly giveRest: () => Promise<void>
  readonly stop: () => void
}

/** Whose takes these are. */
export interface Taker {
  /** A text that no other store object has on the same data. */
  readonly writerId: string
  /** Null where nothing fails but with the process itself. */
  readonly clock: Pick<Clock, 'after'> | null
}

/**
 * Each take leaves the name of its taker at the permit's home, beside those that are there: the permit is free when
 * all of them are gone. So whoever takes in vain takes nothing from the holder, and leaves nothing behind.
 */
export function createHomePermits(raw: RawStore, routes: Routes, taker: Taker): HomePermits {
  const { clock } = taker
  const giveNow = async (releases: readonly FencedRelease[]): Promise<void> => {
    const groups = byPartition(releases, ({ key }) => routes.ofKey(key))
    await Promise.all([...groups].map(([partition, group]) => raw.releaseSlots(partition, group)))
  }
  const isHeld = (slot: SlotRelease): Promise<boolean> => isHeldIn(raw, routes.ofHolder(slot.holder), slot)
  /** A home that is slow holds up nobody whose own partition has answered. */
  const soon = async (given: Promise<void>): Promise<void> => {
    if (clock === null) return given
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = clock.after(soonMs, resolve)
    await Promise.race([given, promise])
    cancel()
  }
  const late = createLateReturns({ give: giveNow, isHeld }, clock)
  const give = async (releases: readonly FencedRelease[]): Promise<void> => {
    if (releases.length > 0) await soon(giveNow(releases).catch(() => late.add(releases)))
  }
  const fencedOne = async (release: SlotRelease): Promise<NamedRelease> => {
    const { key, holder } = release
    const [held] = await raw.load(routes.ofKey(key), 'slotHolders', { key, holder })
    const named = fencedBy(release, held?.by)
    return { ...named, isOfHold: await isHeld(release) }
  }
  let count = 0
  return {
    give,
    giveOnceFree: late.addOnceFree,
    async undo(taken) {
      const ofNobody: NamedTake[] = []
      for (const take of taken) {
        // Its holder has it, and the home knew nothing of that: this name is the only one that says so.
        const isOnlyName = take.isFresh && (await isHeld(take).catch(() => true))
        if (!isOnlyName) ofNobody.push(take)
      }
      await give(ofNobody.map((take) => fencedBy(take, take.by)))
    },
    fenced: (releases) => Promise.all(releases.map(fencedOne)),
    async take(takes, { at, given = [] }) {
      if (takes.length === 0) return { kind: 'taken', takes: [] }
      count += 1
      const by = encodeURIComponent(`${taker.writerId}:${count}`)
      const taken: NamedTake[] = []
      // In the order of the keys' homes for everybody, so that two takers don't keep each other out.
      const groups = [...byPartition(takes, ({ key }) => routes.ofKey(key))].sort(([a], [b]) => a - b)
      for (const [partition, group] of groups) {
        const asked = group.map((take) => ({ ...withRoom(take, given), by }))
        const answer = await raw.takeSlots(partition, { takes: asked, at })
        if (answer.kind === 'slot-taken') {
          await give(taken.map((take) => fencedBy(take, by)))
          return answer
        }
        const fresh = new Set(answer.fresh.map(nameOf))
        for (const take of group) taken.push({ ...take, by, isFresh: fresh.has(nameOf(take)) })
      }
      return { kind: 'taken', takes: taken }
    },
    giveRest: late.run,
    stop: late.stop,
  }
}

const nameOf = ({ key, holder }: SlotTake): string => JSON.stringify([key, holder])

/** A permit of the same key that another holder is about to give back leaves its place to this one. */
function withRoom(take: SlotTake, given: readonly SlotRelease[]): SlotTake {
  const more = given.filter(({ key, holder }) => key === take.key && holder !== take.holder).length
  return more === 0 ? take : { ...take, limit: take.limit + more }
}

/** Whether a partition knows of the hold: that of the holder, where it isn't the key's home. */
export async function isHeldIn(
  raw: Pick<RawStore, 'load'>,
  partition: number,
  { key, holder }: SlotRelease,
): Promise<boolean> {
  return (await raw.load(partition, 'slotHolders', { key, holder })).length > 0
}

/** Who holds permits of a key; who took them for their holders is between the homes and their takers. */
export async function holdersAtHome(
  raw: RawStore,
  routes: Routes,
  asked: { readonly key: string; readonly holder?: string },
): Promise<readonly SlotTake[]> {
  const { key } = asked
  const slots = await raw.load(routes.ofKey(key), 'slotHolders', asked)
  return slots.map(({ holder, limit, expiresAt }) => ({ key, holder, limit, expiresAt }))
}
