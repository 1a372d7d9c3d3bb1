/** Which ways out of the steps are used. Pure. */

import type { WorkflowDocument, WorkflowEdge } from '../../src-engine/model/workflow.ts'
import { changesOf } from '../rules/changes.ts'
import { foundAlong } from '../rules/found-once.ts'

type Edges = WorkflowDocument['edges']

/** The ways out of a step that edges lead from, in the order of the edges. */
export interface UsedPorts {
  readonly ports: readonly string[]
  /** The same for the same ports. */
  readonly key: string
}

type ByStep = ReadonlyMap<string, UsedPorts>

/** Of a step that no edge leads from. */
export const noPorts: UsedPorts = { ports: [], key: '' }

/** Those of all steps, found once for the same edges; an edit finds those anew whose edges it changes. */
export const usedPorts: (edges: Edges) => ByStep = foundAlong<Edges, ByStep>(
  (edges) => portsOf(Object.values(edges)),
  (used, before, now) => {
    const { put, gone, isInOrder } = changesOf(before, now)
    if (!isInOrder) return null
    const changed = [...put, ...gone]
    const steps = new Set(changed.flatMap((id) => [fromOf(before, id), fromOf(now, id)]))
    const own = portsOf(Object.values(now).filter(({ from }) => steps.has(from.node)))
    const found = new Map(used)
    for (const step of steps) {
      const ports = own.get(step)
      if (ports === undefined) found.delete(step)
      else found.set(step, ports)
    }
    return found
  },
)

const fromOf = (edges: Readonly<Record<string, WorkflowEdge>>, id: string): string =>
  edges[id]?.from.node ?? ''

function portsOf(edges: readonly WorkflowEdge[]): ByStep {
  const used = new Map<string, string[]>()
  for (const { from } of edges) {
    const ports = used.get(from.node)
    if (ports === undefined) used.set(from.node, [from.port])
    else if (!ports.includes(from.port)) ports.push(from.port)
  }
  return new Map([...used].map(([id, ports]) => [id, { ports, key: ports.join('|') }]))
}
