/** What everybody in the story of a month shares. */

import type { Store } from '../../../src-engine/store/store.ts'
import type { RandomSource } from '../../support/random-source.ts'
import type { StoreFaults } from '../faulty-store.ts'
import type { World } from '../world.ts'
import type { Ledger } from './ledger.ts'
import type { MonthMutant } from './mutants.ts'
import type { MonthPlan } from './plan.ts'

export interface MonthStage {
  readonly world: World
  readonly plan: MonthPlan
  readonly random: RandomSource
  readonly ledger: Ledger
  /** A process's own way to the store. */
  readonly connect: () => Promise<Store>
  readonly storeFaults: StoreFaults
  readonly mutant: MonthMutant
  /** The watched folder as it is now: stamps by path. */
  readonly folder: Map<string, string>
  /** Whether faults may still happen. */
  readonly chaos: { isOver: boolean }
  /** Notes that something happened, by name. */
  readonly count: (what: string) => void
}
