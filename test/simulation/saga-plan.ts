/** What a seed decides about rollbacks. */

import type { SagaAction } from '../../src-engine/protocol/saga.ts'

/** Somebody decides about the rollback of one of the runs, `after` so many ms; most come too early or too late. */
interface Decision {
  readonly after: number
  readonly action: SagaAction
}

export interface Saga {
  readonly decisions: readonly Decision[]
}
