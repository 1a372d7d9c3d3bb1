/** From a list of what happened to the run as it was then. */

import type { InvocationId, NodeId, RunId } from '../../src-engine/model/ids.ts'
import type { Designer } from './designer.ts'
import { showInstant } from './show-instant.ts'
import { showRunOf } from './show-run.ts'

/** Shows the run and the step of it, right after the event with that sequence; as it is now where that is null. */
export async function showMoment(
  designer: Designer,
  moment: {
    readonly runId: RunId
    readonly nodeId: NodeId | null
    readonly invocationId: InvocationId | null
    readonly seq: number | null
  },
): Promise<void> {
  const { runId, nodeId, invocationId, seq } = moment
  await showRunOf(designer, { runId, nodeId, ...(invocationId === null ? {} : { invocationId }) })
  if (seq !== null) showInstant(designer, { runId, seq })
}
