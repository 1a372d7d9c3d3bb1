/** Permits that a failover took back together with what they were for, and whether others have had them since. */

import type { SlotTake } from '../../src-engine/model/checkpoint.ts'

const nameOf = ({ key, holder }: SlotTake): string => JSON.stringify([key, holder])

export class LostPlaces {
  readonly #taken: SlotTake[] = []
  /** How many had been taken when it was lost. */
  readonly #lost = new Map<string, number>()

  note(takes: readonly SlotTake[]): void {
    this.#taken.push(...takes)
  }

  lose(takes: readonly SlotTake[]): void {
    for (const take of takes)
      if (!this.#lost.has(nameOf(take))) this.#lost.set(nameOf(take), this.#taken.length)
  }

  /** Whether it comes back, and another has had its key meanwhile: asked once. */
  comesLate(take: SlotTake): boolean {
    const since = this.#lost.get(nameOf(take))
    this.#lost.delete(nameOf(take))
    if (since === undefined) return false
    return this.#taken.slice(since).some(({ key, holder }) => key === take.key && holder !== take.holder)
  }
}
