/** Steps that took over what they gave before: from whom, and that it is the same. */

import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { canonicalJson } from '../../src-engine/model/json.ts'
import type { History } from './history.ts'

/** I25: what stands for running a step is the result of the same step, which really ran, and of nobody else. */
export function checkReuse(history: History): readonly string[] {
  const byId = new Map<string, InvocationRecord>(
    history.runs.flatMap(({ invocations }) => invocations.map((record) => [record.id, record] as const)),
  )
  const workflowOf = new Map<string, string>(history.runs.map(({ run }) => [run.id, run.workflowId]))
  const found: string[] = []
  for (const record of byId.values()) {
    const reused = record.dispatch?.reused
    if (reused === undefined) continue
    const giver = byId.get(reused.from)
    const isSame =
      giver?.nodeId === record.nodeId && workflowOf.get(giver.runId) === workflowOf.get(record.runId)
    if (giver === undefined || !isSame)
      found.push(`I25 ${record.id} took over from ${reused.from}, another step`)
    else if (giver.dispatch?.reused !== undefined) found.push(`I25 ${giver.id} gave what it hadn’t made`)
    else if (giver.status === 'SUCCESS' && !sameResult(giver, record))
      found.push(`I25 ${record.id} has another result than ${giver.id}`)
  }
  return found
}

const sameResult = (left: InvocationRecord, right: InvocationRecord): boolean =>
  canonicalJson([left.output, left.ports] as never) === canonicalJson([right.output, right.ports] as never)
