/** Random numbers that are the same for the same seed text: replays and retries must not differ by chance. */

import type { Random } from '../model/ports.ts'

/** FNV-1a over the text gives the state of a mulberry32 generator; both are public-domain constructions. */
export function createSeededRandom(seed: string): Random {
  let state = 0x811c9dc5
  for (let index = 0; index < seed.length; index += 1) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193)
  }
  return {
    next: () => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
    },
  }
}
