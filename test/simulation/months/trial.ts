/** What a month is judged by. */

import type { Instant } from '../../../src-engine/model/time.ts'
import type { Ledger } from './ledger.ts'
import type { Outside } from './outside.ts'
import type { MonthPlan } from './plan.ts'

export interface Trial {
  readonly plan: MonthPlan
  readonly ledger: Ledger
  readonly outside: Pick<Outside, 'answeredEvents' | 'answeredCalls'>
  /** The watched folder as it was left. */
  readonly folder: ReadonlyMap<string, string>
  readonly end: Instant
}
