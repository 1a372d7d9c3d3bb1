/** What everybody in a seed's story shares. */

import type { Store } from '../../src-engine/store/store.ts'
import type { RandomSource } from '../support/random-source.ts'
import type { StoreFaults } from './faulty-store.ts'
import type { Mutant } from './planted-bug.ts'
import type { Scenario } from './scenario.ts'
import type { World } from './world.ts'

export interface Stage {
  readonly seed: number
  readonly world: World
  readonly random: RandomSource
  /** The store that all processes share, without the faults that they see it through. */
  readonly store: Store
  readonly scenario: Scenario
  readonly mutant: Mutant
  readonly storeFaults: StoreFaults
  /** Notes that something happened, by name. */
  readonly count: (what: string) => void
  /** Notes how the store answered a commit. */
  readonly answered: (how: string) => void
}

export const ttlMs = 30_000
export const heartbeatMs = 7_500
