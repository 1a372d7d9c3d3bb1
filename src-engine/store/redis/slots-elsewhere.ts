/** Permits taken and given back outside of a checkpoint, for holders of another partition. */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import type { Instant } from '../../model/time.ts'
import type { TakeAnswer } from '../raw-store.ts'
import type { Applier } from './apply.ts'
import type { PartitionState } from './partition-state.ts'
import type { WriteTag } from './tokens.ts'
import type { Unit } from './unit.ts'
import { emptyUnit } from './unit.ts'

interface SlotParts {
  readonly applier: Pick<Applier, 'apply'>
  readonly state: PartitionState
  readonly nextTag: () => WriteTag
}

/** Takes all of the permits or none. Repeating it changes nothing. */
export async function takeSlots(
  parts: SlotParts,
  { takes, at }: { readonly takes: readonly SlotTake[]; readonly at: Instant },
): Promise<TakeAnswer> {
  const answer = await applyAlone(parts, { ...emptyUnit, at, takes, keepHeld: true })
  if (answer.kind === 'no-room') return { kind: 'slot-taken', key: answer.key, holders: answer.holders }
  const fresh = answer.kind === 'written' ? answer.fresh : []
  return { kind: 'taken', fresh: takes.filter((_, index) => fresh.includes(index + 1)) }
}

/** Gives permits back. */
export async function releaseSlots(parts: SlotParts, releases: readonly SlotRelease[]): Promise<void> {
  await applyAlone(parts, { ...emptyUnit, releases })
}

/** It believes nothing: a new epoch only has it sent again. What a failover takes back of it is done again. */
async function applyAlone({ applier, state, nextTag }: SlotParts, unit: Unit) {
  const named = { ...unit, opId: opId(`permits:${nextTag()}`) }
  for (const _ of [1, 2, 3]) {
    const [answer] = (await applier.apply(state, [named])) ?? []
    if (answer !== undefined) return answer
  }
  throw new SagasmithError('redis_contended')
}
