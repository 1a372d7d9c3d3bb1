/**
 * What this process has seen of others, and for how long it was the same. A living owner renews: so one whose
 * lease stays as it is, is silent, whatever the wall clocks of the two say.
 */

import type { Millis } from '../../model/time.ts'

export interface Sightings {
  /** Sees the value now; for how long it has been the same, 0 when it is new or another one. */
  readonly unchangedFor: (key: string, value: string) => Millis
  /** Whether it was never seen. */
  readonly isNew: (key: string) => boolean
  /** Forgets what is not among these. */
  readonly keep: (keys: ReadonlySet<string>) => void
}

/** `steady` never jumps. */
export function createSightings(steady: () => Millis): Sightings {
  const seen = new Map<string, { readonly value: string; readonly since: Millis }>()
  return {
    unchangedFor: (key, value) => {
      const now = steady()
      const before = seen.get(key)
      if (before?.value === value) return now - before.since
      seen.set(key, { value, since: now })
      return 0
    },
    isNew: (key) => !seen.has(key),
    keep: (keys) => {
      for (const key of seen.keys()) if (!keys.has(key)) seen.delete(key)
    },
  }
}
