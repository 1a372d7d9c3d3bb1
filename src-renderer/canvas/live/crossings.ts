/** How often the ways of a run were gone, and what went along them last. Pure. */

import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { Payload } from '../../../src-engine/model/payload.ts'
import { isFleeting } from '../../../src-engine/model/payload.ts'
import { errorPort } from '../../../src-engine/model/workflow.ts'
import type { RunModel } from '../../state/run-model.ts'
import { live } from '../../text/live-words.ts'
import { fill } from '../../text/messages.ts'

/** By node, then by port: the `*` stands for every port but that of errors. */
type Crossings = ReadonlyMap<string, ReadonlyMap<string, number>>

/** One count for all edges of what is shown. */
const countedByModel = new WeakMap<RunModel['replay'], Crossings>()

/** How often a step that counts was left by this port, over all items and turns. */
export function timesCrossed(model: RunModel, from: string, port: string): number {
  let crossings = countedByModel.get(model.replay)
  if (crossings === undefined) {
    crossings = crossingsOf(model)
    countedByModel.set(model.replay, crossings)
  }
  const counts = crossings.get(from)
  return (counts?.get(port) ?? 0) + (port === errorPort ? 0 : (counts?.get('*') ?? 0))
}

function crossingsOf({ replay, nodes }: RunModel): Crossings {
  const crossings = new Map<string, Map<string, number>>()
  for (const record of replay.invocations.values()) {
    if (record.finishedAt === null) continue
    // What was done before a step began anew doesn't count.
    const newest = nodes.get(record.nodeId)?.invocation
    if (record.role !== 'forward' || newest?.generation !== record.generation) continue
    for (const port of portsOf(record)) {
      const counts = crossings.get(record.nodeId) ?? new Map<string, number>()
      counts.set(port, (counts.get(port) ?? 0) + 1)
      crossings.set(record.nodeId, counts)
    }
  }
  return crossings
}

const everyPort = ['*']

const portsOf = ({ status, ports }: InvocationRecord): readonly string[] =>
  ports ?? (status === 'SUCCESS' ? everyPort : [])

/** As many letters of a value stand beside a wire. */
const peekMax = 24
/** Of a longer text nothing further on is looked at. */
const peekRead = 200

/** A value in so few letters that it fits beside a wire; null for none. */
export function peekOf(payload: Payload | null): string | null {
  if (payload === null) return null
  if (payload.kind === 'sealed') return live.sealed
  if (isFleeting(payload)) return live.fleeting
  if (payload.kind === 'blob')
    return fill(live.large, { kilobytes: Math.max(1, Math.round(payload.bytes / 1024)) })
  const text = payload.json.slice(0, peekRead).replaceAll(/\s+/g, ' ')
  const letters = Array.from(text)
  return letters.length <= peekMax ? text : `${letters.slice(0, peekMax - 1).join('')}…`
}

/** A way that was gone more often is drawn thicker, but never so thick that it hides what it leads to. */
export const inkWidth = (times: number): number => 3 + Math.min(3, Math.log2(Math.max(1, times)) / 2)
