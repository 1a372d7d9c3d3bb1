/** What a step gave in the run that is shown: what a schema is learned from. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'

/** Of a map over many items, so many say what the others are like. */
const seenMax = 200

/** The newest results that are at hand, those of all its turns; values beside the record, and sealed ones, are not. */
export function seenOutputs(invocations: Iterable<InvocationRecord>, id: NodeId): readonly JsonValue[] {
  const seen = [...invocations].filter(
    ({ nodeId, role, status }) => nodeId === id && role === 'forward' && status === 'SUCCESS',
  )
  return seen
    .slice(-seenMax)
    .flatMap(({ output }) => (output?.kind === 'inline' ? [JSON.parse(output.json) as JsonValue] : []))
}
