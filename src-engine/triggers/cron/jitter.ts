/** The spread of a slot: by chance as far as anybody can tell, yet the same on every machine. */

import type { Instant, Millis } from '../../model/time.ts'

/** How long after its slot a schedule fires: from 0 up to, but without, the span. */
export function jitterOf(key: string, slot: Instant, spanMs: Millis): Millis {
  if (spanMs < 1) return 0
  const text = `${key}@${slot}`
  // FNV-1a, then the finalizer of MurmurHash3, so that slots that differ in one digit differ everywhere.
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % Math.floor(spanMs)
}
