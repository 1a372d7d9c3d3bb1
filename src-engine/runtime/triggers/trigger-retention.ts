/** Records of events and of firings are kept by age and number; their keys sort newest first. */

import { eventKey, eventPrefix } from '../../model/event-record.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import { firingKey, firingPrefix, newestFirstPart } from '../../model/trigger.ts'
import { epochOfLook } from '../register-look.ts'
import { tookPrefix } from './gathering.ts'
import type { TriggerRegistersParts } from './trigger-registers.ts'
import { listTriggers, writeRegisters } from './trigger-registers.ts'

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
  const waiting = await waitedWith(parts)
  let forgotten = 0
  for (const [prefix, recordsMax] of [
    [eventPrefix, settings.eventMaxRecords],
    [firingPrefix, settings.triggerRunMaxRecords],
    [tookPrefix, 0],
  ] as const) {
    forgotten += await forgetAfter(parts, { prefix, after: prefix + cutoff, waiting })
    const last = recordsMax === 0 ? null : await lastKept(parts, prefix, recordsMax)
    if (last !== null) forgotten += await forgetAfter(parts, { prefix, after: last, waiting })
  }
  return forgotten
}

/** What triggers still wait with has not been answered, however old it is. */
async function waitedWith(parts: TriggerRegistersParts): Promise<ReadonlySet<string>> {
  const keys = (await listTriggers(parts)).flatMap(({ record }) =>
    record.waiting.flatMap(({ source }) => {
      if (source.kind === 'condition') return [firingKey(source.firingId)]
      return source.kind === 'event' ? [eventKey(source.eventId)] : []
    }),
  )
  return new Set(keys)
}

/** What comes after a key, and so is older. */
async function forgetAfter(
  parts: TriggerRegistersParts,
  {
    prefix,
    after: first,
    waiting,
  }: { readonly prefix: string; readonly after: string; readonly waiting: ReadonlySet<string> },
): Promise<number> {
  let after = first
  for (let forgotten = 0; ; ) {
    const epoch = epochOfLook(parts)
    const page = { after, limit: pageSizeMax }
    const found = await parts.store.list(parts.partition, 'registers', { filter: { prefix }, page })
    const last = found.at(-1)
    if (last === undefined) return forgotten
    const removed = found
      .filter(({ key }) => !waiting.has(key))
      .map(({ key, version }) => ({ key, epoch, version, value: null }))
    // Somebody else forgets the same, or writes to one of them: the next round looks again.
    if (removed.length > 0 && !(await writeRegisters(parts, removed))) return forgotten
    forgotten += removed.length
    after = last.key
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
