/** Where the journal meets the store: when it is opened, and when somebody claims. */

import type { ClaimAnswer } from '../../store.ts'
import type { Applier } from '../apply.ts'
import type { PartitionState } from '../partition-state.ts'
import type { WriteJournal } from './write-journal.ts'

/** Takes over what processes left behind that are gone, and brings back what of it was lost. */
export async function adoptJournals(
  journal: WriteJournal,
  applier: Applier,
  parts: readonly { readonly state: PartitionState }[],
): Promise<void> {
  const states = journal.adopt().flatMap((partition) => parts[partition]?.state ?? [])
  // A partition that can't be reached is no reason not to open the others: it is met with its first write.
  await Promise.allSettled(states.map((state) => applier.bringBack(state)))
}

/** For claims: where they wait nothing is taken, also when the new epoch was met by the claim itself. */
export const heldApplier = (applier: Applier, journal: WriteJournal | null): Applier => {
  if (journal === null) return applier
  const apply: Applier['apply'] = async (state, units) =>
    journal.holds(state.keys.partition) ? null : applier.apply(state, units)
  return { ...applier, apply }
}

/**
 * For permits that are taken for holders elsewhere: who holds one still, though its home has lost that, brings it back
 * first.
 */
export const patientApplier = (applier: Applier, journal: WriteJournal | null): Applier => {
  if (journal === null) return applier
  const apply: Applier['apply'] = async (state, units) => {
    await journal.free(state.keys.partition)
    return applier.apply(state, units)
  }
  return { ...applier, apply }
}

/** What a claim gets where claims wait. */
export const nothingClaimed: ClaimAnswer = { claimed: [], blocked: [] }
