/**
 * Permits that only their home still knows though their holder has ended: who ended it died, or lost its connection,
 * before it could give them back. What has ended takes none, so nothing has to be waited for; a repair, which can't see
 * that of all of them, takes a minute and more.
 */

import type { SlotTake } from '../../model/checkpoint.ts'
import type { InvocationId } from '../../model/ids.ts'
import { runId, runIdOf } from '../../model/ids.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Millis } from '../../model/time.ts'
import type { RawStore } from '../raw-store.ts'
import { fencedBy } from './fenced-release.ts'
import type { HomePermits } from './home-permits.ts'
import { isHeldIn } from './home-permits.ts'
import type { Routes } from './routes.ts'

export interface LeftPermits {
  /** Looks at a key that others wait for; tells how many it gave back. `now` is of a clock that doesn't jump. */
  readonly release: (key: string, now: Millis) => Promise<number>
}

/** A key is looked at no more often than that. */
const lookMs: Millis = 1_000
/** A holder that is at work is looked at less and less often; a repair sees it all the same. */
const pauseMsMax: Millis = 30_000

/** Since when one holder has been seen, and when it is worth a look. */
interface Sighting {
  readonly by: string | undefined
  readonly since: Millis
  readonly lookAt: Millis
}

interface Look {
  readonly at: Millis
  readonly holders: ReadonlyMap<string, Sighting>
}

export function createLeftPermits(raw: RawStore, routes: Routes, permits: HomePermits): LeftPermits {
  /** By key, those that were looked at longest ago first. */
  const looks = new Map<string, Look>()
  return {
    async release(key, now) {
      const last = looks.get(key)
      if (last !== undefined && now < last.at + lookMs) return 0
      for (const [old, { at }] of looks) {
        if (now < at + 2 * pauseMsMax) break
        looks.delete(old)
      }
      looks.delete(key)
      looks.set(key, { at: now, holders: last?.holders ?? new Map() })
      const home = routes.ofKey(key)
      const held = await raw.load(home, 'slotHolders', { key })
      const seen = new Map<string, Sighting>()
      const left: SlotTake[] = []
      for (const slot of held) {
        if (slot.expiresAt !== null || routes.ofHolder(slot.holder) === home) continue
        const known = last?.holders.get(slot.holder)
        if (known === undefined || known.by !== slot.by) seen.set(slot.holder, firstSeen(slot, now))
        else if (now < known.lookAt) seen.set(slot.holder, known)
        else if (await isLeft(raw, routes, slot).catch(() => false)) left.push(slot)
        else seen.set(slot.holder, { ...known, lookAt: now + Math.min(pauseMsMax, now - known.since) })
      }
      looks.set(key, { at: now, holders: seen })
      // Who has it go on takes it anew, by another name.
      await permits.give(left.map((slot) => fencedBy(slot, slot.by)))
      return left.length
    },
  }
}

/** Whoever ended it mostly gives it back at once. */
const firstSeen = ({ by }: SlotTake, now: Millis): Sighting => ({ by, since: now, lookAt: now + lookMs })

/** What has ended may hold one still: over a body in which something is at work. */
const isLeft = async (raw: RawStore, routes: Routes, slot: SlotTake): Promise<boolean> =>
  (await hasEnded(raw, routes, slot.holder)) && !(await isHeldIn(raw, routes.ofHolder(slot.holder), slot))

async function hasEnded(raw: RawStore, routes: Routes, holder: string): Promise<boolean> {
  const invocationId = holder as InvocationId
  const partition = routes.ofHolder(holder)
  if (runIdOf(invocationId) === holder) {
    const run = await raw.load(partition, 'run', { runId: runId(holder) })
    return run !== null && runMachine.final.has(run.status)
  }
  const record = await raw.load(partition, 'invocation', { invocationId })
  return record !== null && invocationMachine.final.has(record.status)
}
