/** What a composite trigger may wait with: a register holds so much and no more. Pure. */

import { triggerWaitingMax } from '../../model/limits.ts'
import type { TriggerRecord, WaitingOccurrence } from '../../model/trigger.ts'
import { compositeOf } from './waiting.ts'

/** Of what a register may hold, some is left for the rest of the record to grow in. */
const charsMax = 56_000

export const hasRoom = (record: TriggerRecord): boolean =>
  record.waiting.length <= triggerWaitingMax && JSON.stringify(record).length <= charsMax

/** What gives way to a newer one of the same condition. */
export const replaced = (record: TriggerRecord, condition: number): readonly WaitingOccurrence[] =>
  compositeOf(record).keep === 'newest' ? record.waiting.filter((half) => half.condition === condition) : []
