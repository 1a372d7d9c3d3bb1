/** A release of a permit that leaves alone what others than those it names have taken. */

import type { SlotRelease } from '../../model/checkpoint.ts'

/** Good for the takes of these names only. */
export interface FencedRelease extends SlotRelease {
  readonly by: string | null
}

/** A take that nobody is named for is good for null. */
export const fencedBy = ({ key, holder }: SlotRelease, by: string | null | undefined): FencedRelease => ({
  key,
  holder,
  by: by ?? null,
})
