/** Partitions of a store that don't answer, as whoever looks at lists has to know. */

import type { Instant } from './time.ts'

/** A partition that doesn't answer: what it holds is missing from answers over all of them. */
export interface MissingPartition {
  readonly partition: number
  readonly since: Instant
  /** Why, as far as is known. */
  readonly code: string
  readonly message: string
}

/** What a store of many partitions reaches of itself. */
export interface PartitionReach {
  readonly partitions: number
  /** Those that don't answer now. */
  readonly missing: readonly MissingPartition[]
}

/** One answer that came late is no outage: a line that comes and goes frightens, and says nothing. */
const lastingMs = 2_000

/** Those of the missing that have been away for a while. */
export const lastingReach = (reach: PartitionReach, now: Instant): PartitionReach => ({
  ...reach,
  missing: reach.missing.filter(({ since }) => now - since >= lastingMs),
})

/** What is missing, in a sentence; null when nothing is. `inWords` tells the earliest of the instants. */
export function missingText(
  { partitions, missing }: PartitionReach,
  inWords: (since: Instant) => string,
): string | null {
  if (missing.length === 0) return null
  const since = inWords(Math.min(...missing.map((one) => one.since)))
  const [who, they] =
    missing.length === 1
      ? [`One of ${partitions} partitions doesn’t answer`, 'it holds']
      : [`${missing.length} of ${partitions} partitions don’t answer`, 'they hold']
  return `${who} since ${since}: what ${they} is missing here.`
}
