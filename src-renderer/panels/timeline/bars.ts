/** The bars of the timeline: for each node, which status it had from when to when. Pure. */

import type { EngineEvent } from '../../../src-engine/model/event.ts'
import type { InvocationStatus } from '../../../src-engine/model/invocation-status.ts'
import { invocationMachine } from '../../../src-engine/model/invocation-status.ts'
import type { Instant } from '../../../src-engine/model/time.ts'

export interface BarPart {
  readonly status: InvocationStatus
  readonly from: Instant
  /** Null while it lasts. */
  readonly to: Instant | null
}

export interface Bar {
  readonly nodeId: string
  readonly parts: readonly BarPart[]
}

/** One bar per node, in the order in which they began. A final status is a mark, not a stretch. */
export function barsOf(events: readonly EngineEvent[]): readonly Bar[] {
  const partsByNode = new Map<string, BarPart[]>()
  const nodeById = new Map<string, string>()
  for (const { body, invocationId, at } of events) {
    if (body.type === 'invocation.registered') {
      const { id, nodeId, status } = body.invocation
      nodeById.set(id, nodeId)
      enter(partsByNode, nodeId, { status, from: at, to: null })
    }
    if (body.type !== 'invocation.changed' || invocationId === null || body.from === body.to) continue
    const nodeId = nodeById.get(invocationId)
    if (nodeId !== undefined) enter(partsByNode, nodeId, { status: body.to, from: at, to: null })
  }
  return [...partsByNode].map(([nodeId, parts]) => ({ nodeId, parts }))
}

function enter(partsByNode: Map<string, BarPart[]>, nodeId: string, part: BarPart): void {
  const parts = partsByNode.get(nodeId) ?? []
  const last = parts.at(-1)
  if (last !== undefined && last.to === null) parts[parts.length - 1] = { ...last, to: part.from }
  parts.push(invocationMachine.final.has(part.status) ? { ...part, to: part.from } : part)
  partsByNode.set(nodeId, parts)
}
