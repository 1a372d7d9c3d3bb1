/** How often each caller may call: a bucket per caller and address that fills with time. */

import type { Millis } from '../../model/time.ts'

export interface CallGate {
  /** Takes one call of a caller's allowance; how many seconds to wait when it is used up, else 0. */
  readonly take: (ask: CallAsk) => number
}

export interface CallAsk {
  readonly caller: string
  readonly perMinute: number
  /** By a clock that never jumps. */
  readonly now: Millis
}

interface Bucket {
  left: number
  filledAt: Millis
}

const minute = 60_000
const second = 1_000
/** Callers that are remembered; the ones that called longest ago are forgotten first. */
const callersMax = 10_000

/** Nobody has called yet. */
export function createCallGate(): CallGate {
  const buckets = new Map<string, Bucket>()
  return {
    take: ({ caller, perMinute, now }) => {
      const bucket = buckets.get(caller) ?? { left: perMinute, filledAt: now }
      // Set again, it stands last: the map's order is that of the last calls.
      buckets.delete(caller)
      buckets.set(caller, bucket)
      forgetOldest(buckets)
      const filled = (now - bucket.filledAt) * (perMinute / minute)
      bucket.left = Math.min(perMinute, bucket.left + filled)
      bucket.filledAt = now
      if (bucket.left >= 1) {
        bucket.left -= 1
        return 0
      }
      return Math.max(1, Math.ceil(((1 - bucket.left) * minute) / perMinute / second))
    },
  }
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  if (buckets.size <= callersMax) return
  for (const caller of buckets.keys()) {
    buckets.delete(caller)
    return
  }
}
