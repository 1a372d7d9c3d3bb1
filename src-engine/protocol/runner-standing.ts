/** How a runner stands among the others: how busy it is, and how much more it takes. */

import type { RunnerId } from '../model/ids.ts'

export interface RunnerStanding {
  readonly runnerId: RunnerId
  /** Its work, and a hundredth per busy percent of its machine; the lowest gets a head start. */
  readonly score: number
  /** How many more steps it takes now. */
  readonly room: number
  /** What keeps it from taking more; null while it does. */
  readonly held: 'slots' | 'machine' | 'draining' | null
  /** Whether no other runner of its pools is less busy. */
  readonly isFirst: boolean
}
