/** Rollbacks as people see them, and what they decide about them. */

import type { RunId } from '../../model/ids.ts'
import type { SagaAnswer, SagaRequest, SagaView } from '../../protocol/saga.ts'

export interface SagaDesk {
  /** Throws `run_not_found`. */
  readonly show: (runId: RunId) => Promise<SagaView>
  /** Throws `run_not_found`, `rollback_not_possible`. */
  readonly act: (request: SagaRequest) => Promise<SagaAnswer>
}
