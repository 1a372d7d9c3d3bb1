/**
 * The bars of the timeline: for each node, which status it had from when to when. What a map does at the same
 * time lies in lanes of its own; what comes one after the other shares one. Pure.
 */

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

/** One lane of a node. */
export interface Bar {
  readonly nodeId: string
  /** From 0 on, by node. */
  readonly lane: number
  readonly parts: readonly BarPart[]
  /** How many more were under way at the same time than there are lanes; 0 in all but a node's last. */
  readonly hidden: number
}

/** More lanes of one node than these tell nobody more. */
const lanesMax = 12

/** The lanes of each node, in the order in which the nodes began. A final status is a mark, not a stretch. */
export function barsOf(events: readonly EngineEvent[]): readonly Bar[] {
  const partsById = new Map<string, BarPart[]>()
  const idsByNode = new Map<string, string[]>()
  for (const { body, invocationId, at } of events) {
    if (body.type === 'invocation.registered') {
      const { id, nodeId, status } = body.invocation
      const ids = idsByNode.get(nodeId) ?? []
      ids.push(id)
      idsByNode.set(nodeId, ids)
      enter(partsById, id, { status, from: at, to: null })
    }
    if (body.type !== 'invocation.changed' || invocationId === null || body.from === body.to) continue
    if (partsById.has(invocationId)) enter(partsById, invocationId, { status: body.to, from: at, to: null })
  }
  return [...idsByNode].flatMap(([nodeId, ids]) =>
    lanesOf(
      nodeId,
      ids.map((id) => partsById.get(id) ?? []),
    ),
  )
}

/** Each in the first lane that is free when it begins: one that ends then makes room. */
function lanesOf(nodeId: string, all: readonly (readonly BarPart[])[]): readonly Bar[] {
  const lanes: { readonly parts: BarPart[]; until: Instant }[] = []
  let hidden = 0
  for (const parts of all) {
    const from = parts[0]?.from ?? 0
    const until = parts.at(-1)?.to ?? Number.POSITIVE_INFINITY
    const free = lanes.find((lane) => lane.until <= from)
    if (free !== undefined) {
      free.parts.push(...parts)
      free.until = until
    } else if (lanes.length < lanesMax) lanes.push({ parts: [...parts], until })
    else hidden += 1
  }
  return lanes.map(({ parts }, lane) => ({
    nodeId,
    lane,
    parts,
    hidden: lane === lanes.length - 1 ? hidden : 0,
  }))
}

function enter(partsById: Map<string, BarPart[]>, id: string, part: BarPart): void {
  const parts = partsById.get(id) ?? []
  const last = parts.at(-1)
  if (last !== undefined && last.to === null) parts[parts.length - 1] = { ...last, to: part.from }
  parts.push(invocationMachine.final.has(part.status) ? { ...part, to: part.from } : part)
  partsById.set(id, parts)
}
