/** A unit as it is written again: the same writes with the same tokens, its events packed for another epoch. */

import { createHash } from 'node:crypto'
import { packEvents, unpackEvents } from '../../../model/event-codec.ts'
import { runId } from '../../../model/ids.ts'
import type { EventPart, Unit } from '../unit.ts'

/** The unit for the epoch; `from` is the one that it is packed for. */
export function rebuiltUnit(unit: Unit, from: number, epoch: number): Unit {
  // What was written as it is, before its partition took sealed values only, may be there again.
  const values = unit.values === 'sealed' ? 'sealed' : 'none'
  if (from === epoch) return { ...unit, values }
  return { ...unit, values, parts: unit.parts.map((part) => rebuiltPart(part, from, epoch)) }
}

function rebuiltPart(part: EventPart, from: number, epoch: number): EventPart {
  const run = part.runId === '' ? null : runId(part.runId)
  const { group, drafts } = unpackEvents(part.text, { epoch: from, runId: run })
  const text = packEvents({ ...group, epoch }, drafts)
  return { ...part, text, digest: createHash('sha256').update(text).digest('hex') }
}
