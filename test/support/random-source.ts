/** Choices that a seed decides: what makes a failure repeatable. */

import type { Random } from '../../src-engine/model/ports.ts'
import { createSeededRandom } from '../../src-engine/runtime/seeded-random.ts'

export interface RandomSource extends Random {
  /** A whole number from 0 up to, not including, `below`. */
  readonly below: (below: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
}

/** The choices of a seed; the same seed gives the same ones. */
export function createRandomSource(seed: string): RandomSource {
  const seeded = createSeededRandom(seed)
  const next = (): number => seeded.next()
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
  }
}
