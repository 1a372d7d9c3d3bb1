/**
 * Makes the homes of permits agree with the partitions of their holders, whatever a crash or a failover left.
 * A permit that its holder has is told to its home again; one that only its home knows is given back once it
 * was seen twice, so that nobody's take is undone who is about to use it.
 */

import type { SlotTake } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { opId } from '../../model/ids.ts'
import { isJsonObject } from '../../model/json.ts'
import { homePartition } from '../../model/partition.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { countsAt } from '../claim.ts'
import type { RawStore } from '../raw-store.ts'
import { fencedBy } from './fenced-release.ts'
import type { HomePermits } from './home-permits.ts'
import { isHeldIn } from './home-permits.ts'
import type { Routes } from './routes.ts'

/** Longer than any call to the store may take. */
export const graceMs: Millis = 30_000
const pageLimit = 200
/** Since when permits were seen at their home only: whoever looks next goes on from there. */
const suspectsKey = 'permits/suspects'
/** More than fit into a register are looked at once these are done with. */
const suspectsMax = 200

export interface PermitRepair {
  /** How many permits were put right. */
  readonly run: (now: Instant) => Promise<number>
}

/** When each suspect was first seen, by key and holder. */
type Suspects = Map<string, Instant>

export function createPermitRepair(raw: RawStore, routes: Routes, permits: HomePermits): PermitRepair {
  return {
    async run(now) {
      const known = await loadSuspects(raw)
      const suspects: Suspects = new Map()
      let repaired = 0
      for (const partition of routes.partitions) {
        for await (const slot of slotsOf(raw, partition)) {
          if (!countsAt(slot, now)) continue
          const home = routes.ofKey(slot.key)
          const own = routes.ofHolder(slot.holder)
          if (home !== partition) {
            repaired += await tellHome(raw, { home, slot, now })
          } else if (own !== home && slot.expiresAt === null && !(await isHeldIn(raw, own, slot))) {
            const name = JSON.stringify([slot.key, slot.holder])
            // Whoever saw it first may have had a wrong clock: nothing is seen in the future.
            const since = Math.min(known.suspects.get(name) ?? now, now)
            if (now < since + graceMs) {
              if (suspects.size < suspectsMax) suspects.set(name, since)
              continue
            }
            // Who takes it by now keeps it.
            await permits.give([fencedBy(slot, slot.by)])
            repaired += 1
          }
        }
      }
      await keepSuspects(raw, known, { suspects, now })
      return repaired
    },
  }
}

interface KnownSuspects {
  readonly version: number
  readonly suspects: Suspects
}

async function loadSuspects(raw: RawStore): Promise<KnownSuspects> {
  const register = await raw.load(homePartition, 'register', { key: suspectsKey })
  const value = register?.value
  // Nothing but this file writes it.
  const entries = isJsonObject(value) ? (Object.entries(value) as [string, Instant][]) : []
  return { version: register?.version ?? 0, suspects: new Map(entries) }
}

/** Somebody else who looked at the same moment has kept his own: one of both is enough. */
async function keepSuspects(
  raw: RawStore,
  { version, suspects: before }: KnownSuspects,
  { suspects, now }: { readonly suspects: Suspects; readonly now: Instant },
): Promise<void> {
  if (suspects.size === 0 && before.size === 0) return
  const value = suspects.size === 0 ? null : Object.fromEntries(suspects)
  await raw.commit(homePartition, [
    {
      partition: homePartition,
      opId: opId(`suspects:${version}:${now}`),
      values: 'none',
      actor: { kind: 'reconciler', id: null },
      at: now,
      expect: { invocations: [], registers: [{ key: suspectsKey, version }] },
      writes: { ...noWrites, registers: [{ key: suspectsKey, value }] },
      events: [],
    },
  ])
}

/** What is held counts, also where there was no room for it by now. */
async function tellHome(
  raw: RawStore,
  { home, slot, now }: { readonly home: number; readonly slot: SlotTake; readonly now: Instant },
): Promise<number> {
  const { by: _, ...held } = slot
  const takes = [{ ...held, limit: Number.MAX_SAFE_INTEGER }]
  const answer = await raw.takeSlots(home, { takes, at: now })
  return answer.kind === 'taken' ? answer.fresh.length : 0
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
