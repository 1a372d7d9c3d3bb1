/** Asks the engine to pause, resume or skip; a refusal is told like any other error. */

import { errorOfRecord } from '../../src-engine/model/errors.ts'
import type { NodeId, RunId } from '../../src-engine/model/ids.ts'
import type { ControlAction } from '../../src-engine/protocol/run-control.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { lineOfRun } from './site-lines.ts'

export interface Steering {
  readonly runId: RunId
  readonly action: ControlAction
  /** One step; null for the whole run. */
  readonly nodeId: NodeId | null
}

/** True once the request is durable; it may not be in effect yet. */
export async function steerRun(designer: Designer, { runId, ...steering }: Steering): Promise<boolean> {
  const done = await attempt(designer, async () => {
    const request = { ...steering, runIds: [runId], by: null, reason: null, wait: false }
    const { results } = await lineOfRun(designer, runId).call('runs.control', request)
    const refusal = results[0]?.error ?? null
    if (refusal !== null) throw errorOfRecord(refusal)
    return true
  })
  return done === true
}
