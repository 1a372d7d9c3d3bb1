/** What a person asks of a rollback. */

import type { InvocationId, RunId } from '../../src-engine/model/ids.ts'
import type { SagaAction } from '../../src-engine/protocol/saga.ts'
import type { Designer } from './designer.ts'
import { lineOfRun } from './site-lines.ts'

/** Asks the engine; throws what it refuses. */
export async function actOnRollback(
  designer: Designer,
  ask: {
    readonly runId: RunId
    readonly action: SagaAction
    readonly of: InvocationId | null
    readonly reason: string | null
  },
): Promise<void> {
  await lineOfRun(designer, ask.runId).call('saga.act', { ...ask, by: null })
}
