/**
 * What triggers did last, where they don't say it themselves. Only schedules move with what they do by themselves:
 * many events, calls or hands at a time would be in each other's way. So it is read from the newest records, too.
 */

import type { Register } from '../../model/checkpoint.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { FiringRecord, TriggerRecord } from '../../model/trigger.ts'
import { firingPrefix, readFiring, triggerKey } from '../../model/trigger.ts'
import type { TriggerRegistersParts } from './trigger-registers.ts'

type Parts = Pick<TriggerRegistersParts, 'store' | 'partition'>

/** A look at all triggers is no look at all that they ever did. */
const pagesMax = 5

/** The triggers with what the newest 1,000 records tell of them. */
export async function withLast(
  parts: Parts,
  records: readonly TriggerRecord[],
): Promise<readonly TriggerRecord[]> {
  if (records.length === 0) return records
  const told = Map.groupBy(await newestFirings(parts), triggerKey)
  return records.map((record) => lastOf(record, told.get(triggerKey(record)) ?? []))
}

/** The trigger with what these records of it tell, newest first: of what it doesn't count itself, as many as there are. */
export function lastOf(record: TriggerRecord, firings: readonly FiringRecord[]): TriggerRecord {
  const [lastFired = null] = firings.flatMap(({ at, id: firingId, runId }) =>
    runId === null ? [] : [{ at, firingId, runId }],
  )
  const [lastSkip = null] = firings.flatMap(({ at, id: firingId, reason }) =>
    reason === null ? [] : [{ at, firingId, reason }],
  )
  return {
    ...record,
    lastFired: later(record.lastFired, lastFired),
    lastSkip: later(record.lastSkip, lastSkip),
    firedCount: Math.max(record.firedCount, firings.filter(({ runId }) => runId !== null).length),
    skippedCount: Math.max(record.skippedCount, sumOf(firings, skippedBy)),
  }
}

/** A skip may be that of many slots at once. */
const skippedBy = ({ reason, slots }: FiringRecord): number => (reason === null ? 0 : (slots?.count ?? 1))

const sumOf = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((sum, one) => sum + of(one), 0)

function later<Last extends { readonly at: number }>(one: Last | null, other: Last | null): Last | null {
  if (one === null || other === null) return one ?? other
  return other.at > one.at ? other : one
}

async function newestFirings({ store, partition }: Parts): Promise<readonly FiringRecord[]> {
  const found: FiringRecord[] = []
  let after: string | null = null
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const filter = { prefix: firingPrefix }
    const page: readonly Register[] = await store.list(partition, 'registers', {
      filter,
      page: { after, limit: pageSizeMax },
    })
    found.push(...page.flatMap(({ value }) => readFiring(value) ?? []))
    after = page.at(-1)?.key ?? null
    if (page.length < pageSizeMax) break
  }
  return found
}
