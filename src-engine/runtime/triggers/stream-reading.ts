/** How far a trigger has read its stream, as people are told. */

import type { TriggerRecord } from '../../model/trigger.ts'
import type { StreamReading } from '../../protocol/trigger-views.ts'
import type { RegisterPlace } from '../register-look.ts'
import { loadHead } from '../streams/stream-head.ts'

/** Null for a trigger that reads none. */
export async function readingOf(place: RegisterPlace, record: TriggerRecord): Promise<StreamReading | null> {
  if (record.kind !== 'redis-stream') return null
  const { problem, last, open } = (await loadHead(place, record)).state
  return { problem, last, open: open.reduce((count, { ids }) => count + ids.length, 0) }
}
