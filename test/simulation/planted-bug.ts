/** A bug that is planted on purpose, and what has to notice it. */

import type { Engine } from '../../src-engine/runtime/engine.ts'
import type { TaskHost } from '../../src-engine/runtime/task-host.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { RandomSource } from '../support/random-source.ts'
import type { Scenario } from './scenario.ts'

/** Where it sits: at the seams that every engine is made with. */
export interface Mutant {
  /** The store as each process has it. */
  readonly store?: (store: Store, random: RandomSource) => Store
  readonly host?: (host: TaskHost) => TaskHost
  /** The store that all processes share, and that is looked at in the end. */
  readonly shared?: (store: Store, random: RandomSource) => Store
  readonly engine?: (engine: Engine, random: RandomSource) => Engine
  /** Every process is thought to be dead. */
  readonly believesAllDead?: boolean
}

export interface PlantedBug extends Mutant {
  readonly name: string
  /** At least one finding begins with one of these. */
  readonly noticedBy: readonly string[]
  /** What the finding has to say, where its number alone could mean something else. */
  readonly says?: string
  /** Whether a seed with this scenario can show it; every seed can when absent. */
  readonly takes?: (scenario: Scenario) => boolean
}
