/** Rollbacks as people see them, and what they decide about them. */

import type { InvocationId, RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { RunRecord } from '../../model/run.ts'
import type { SagaAnswer, SagaRequest, SagaView } from '../../protocol/saga.ts'

export interface SagaDesk {
  /** Throws `run_not_found`. */
  readonly show: (runId: RunId) => Promise<SagaView>
  /** Throws `run_not_found`, `rollback_not_possible`. */
  readonly act: (request: SagaRequest) => Promise<SagaAnswer>
  /** Tries a failed compensation again and gives its run, as it was before. Throws as `act` does. */
  readonly retry: (request: UndoRetry) => Promise<RunRecord>
}

/** One failed compensation that is tried again. */
export interface UndoRetry {
  readonly runId: RunId
  readonly of: InvocationId
  /** What arrives instead of what did; null to leave that as it is. */
  readonly input: { readonly value: JsonValue } | null
  readonly by: string | null
  readonly reason: string | null
}
