/** Records of events and of firings are kept by age and number; their keys sort newest first. */

import { eventPrefix } from '../../model/event-record.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import { firingPrefix, newestFirstPart } from '../../model/trigger.ts'
import { tookPrefix } from './gathering.ts'
import type { TriggerRegistersParts } from './trigger-registers.ts'
import { writeRegisters } from './trigger-registers.ts'

export type TriggerRetention = Pick<
  EngineSettings,
  'eventRetentionMs' | 'eventMaxRecords' | 'triggerRunMaxRecords' | 'eventAutoPurgeEnabled'
>

/** Deletes what is over; answers how many records that were. Only what is over is read, where numbers don't count. */
export async function forgetTriggerRecords(
  parts: TriggerRegistersParts,
  settings: TriggerRetention,
): Promise<number> {
  if (!settings.eventAutoPurgeEnabled) return 0
  const cutoff = newestFirstPart(parts.clock.now() - settings.eventRetentionMs)
  let forgotten = 0
  for (const [prefix, recordsMax] of [
    [eventPrefix, settings.eventMaxRecords],
    [firingPrefix, settings.triggerRunMaxRecords],
    [tookPrefix, 0],
  ] as const) {
    forgotten += await forgetAfter(parts, prefix, prefix + cutoff)
    const last = recordsMax === 0 ? null : await lastKept(parts, prefix, recordsMax)
    if (last !== null) forgotten += await forgetAfter(parts, prefix, last)
  }
  return forgotten
}

/** What comes after a key, and so is older. */
async function forgetAfter(parts: TriggerRegistersParts, prefix: string, after: string): Promise<number> {
  for (let forgotten = 0; ; ) {
    const page = { after, limit: pageSizeMax }
    const found = await parts.store.list(parts.partition, 'registers', { filter: { prefix }, page })
    if (found.length === 0) return forgotten
    const removed = found.map(({ key, version }) => ({ key, version, value: null }))
    // Somebody else forgets the same, or writes to one of them: the next round looks again.
    if (!(await writeRegisters(parts, removed))) return forgotten
    forgotten += found.length
  }
}

/** The key of the last one that may stay; null while there are no more than that. */
async function lastKept(
  { store, partition }: TriggerRegistersParts,
  prefix: string,
  recordsMax: number,
): Promise<string | null> {
  let after: string | null = null
  for (let kept = 0; kept < recordsMax; ) {
    const page = { after, limit: Math.min(pageSizeMax, recordsMax - kept) }
    const found: readonly { readonly key: string }[] = await store.list(partition, 'registers', {
      filter: { prefix },
      page,
    })
    kept += found.length
    after = found.at(-1)?.key ?? after
    if (found.length < page.limit) return null
  }
  return after
}
