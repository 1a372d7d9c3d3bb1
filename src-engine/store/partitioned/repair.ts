/**
 * Makes the homes of permits agree with the partitions of their holders, whatever a crash or a failover left.
 * A permit that its holder has is told to its home again; one that only its home knows is given back once it
 * was seen twice, so that nobody's take is undone who is about to use it.
 */

import type { SlotTake } from '../../model/checkpoint.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { countsAt } from '../claim.ts'
import type { RawStore } from '../raw-store.ts'
import type { HomePermits } from './home-permits.ts'
import type { Routes } from './routes.ts'

/** Longer than any call to the store may take. */
export const graceMs: Millis = 30_000
const pageLimit = 200

export interface PermitRepair {
  /** How many permits were put right. */
  readonly run: (now: Instant) => Promise<number>
}

export function createPermitRepair(raw: RawStore, routes: Routes, permits: HomePermits): PermitRepair {
  /** Since when a permit was seen at its home only. */
  const suspects = new Map<string, Instant>()
  return {
    async run(now) {
      let repaired = 0
      const seen = new Set<string>()
      for (const partition of routes.partitions) {
        for await (const slot of slotsOf(raw, partition)) {
          if (!countsAt(slot, now)) continue
          const home = routes.ofKey(slot.key)
          const own = routes.ofHolder(slot.holder)
          if (home !== partition) {
            repaired += await tellHome(raw, { home, slot, now })
          } else if (own !== home && slot.expiresAt === null && !(await isHeld(raw, own, slot))) {
            const name = JSON.stringify([slot.key, slot.holder])
            seen.add(name)
            const since = suspects.get(name) ?? now
            suspects.set(name, since)
            if (now < since + graceMs) continue
            await permits.give([slot])
            suspects.delete(name)
            repaired += 1
          }
        }
      }
      for (const name of suspects.keys()) if (!seen.has(name)) suspects.delete(name)
      return repaired
    },
  }
}

/** What is held counts, also where there was no room for it by now. */
async function tellHome(
  raw: RawStore,
  { home, slot, now }: { readonly home: number; readonly slot: SlotTake; readonly now: Instant },
): Promise<number> {
  const takes = [{ ...slot, limit: Number.MAX_SAFE_INTEGER }]
  const answer = await raw.takeSlots(home, { takes, at: now })
  return answer.kind === 'taken' ? answer.fresh.length : 0
}

async function isHeld(raw: RawStore, partition: number, { key, holder }: SlotTake): Promise<boolean> {
  const held = await raw.load(partition, 'slotHolders', { key })
  return held.some((slot) => slot.holder === holder)
}

async function* slotsOf(raw: RawStore, partition: number): AsyncGenerator<SlotTake> {
  for (let after: string | null = null; ; ) {
    const page: { readonly after: string | null; readonly limit: number } = { after, limit: pageLimit }
    const uses = await raw.list(partition, 'permits', { filter: { prefix: '' }, page })
    for (const { holders } of uses) yield* holders
    if (uses.length < pageLimit) return
    after = uses.at(-1)?.key ?? null
  }
}
