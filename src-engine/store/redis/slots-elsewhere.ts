/** Permits taken and given back outside of a checkpoint, for holders of another partition. */

import type { SlotRelease, SlotTake } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { Instant } from '../../model/time.ts'
import type { TakeAnswer } from '../raw-store.ts'
import type { Applier } from './apply.ts'
import type { PartitionState } from './partition-state.ts'
import type { Unit } from './unit.ts'
import { emptyUnit } from './unit.ts'

/** Takes all of the permits or none. Repeating it changes nothing. */
export async function takeSlots(
  applier: Applier,
  state: PartitionState,
  { takes, at }: { readonly takes: readonly SlotTake[]; readonly at: Instant },
): Promise<TakeAnswer> {
  const answer = await applyAlone(applier, state, { ...emptyUnit, at, takes, keepHeld: true })
  if (answer.kind === 'no-room') return { kind: 'slot-taken', key: answer.key, holders: answer.holders }
  const fresh = answer.kind === 'written' ? answer.fresh : []
  return { kind: 'taken', fresh: takes.filter((_, index) => fresh.includes(index + 1)) }
}

/** Gives permits back. */
export async function releaseSlots(
  applier: Applier,
  state: PartitionState,
  releases: readonly SlotRelease[],
): Promise<void> {
  await applyAlone(applier, state, { ...emptyUnit, releases })
}

/** It believes nothing: a new epoch only has it sent again. */
async function applyAlone(applier: Applier, state: PartitionState, unit: Unit) {
  for (const _ of [1, 2, 3]) {
    const [answer] = (await applier.apply(state, [unit])) ?? []
    if (answer !== undefined) return answer
  }
  throw new SagasmithError('redis_contended')
}
