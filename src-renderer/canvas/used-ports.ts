/** Which ways out of the steps are used. Pure. */

import type { WorkflowDocument, WorkflowEdge } from '../../src-engine/model/workflow.ts'
import { changesOf } from '../rules/changes.ts'
import { edgesFrom, fromOf } from '../rules/edges-from.ts'
import { foundAlong } from '../rules/found-once.ts'
import { LayeredMap } from '../rules/layered-map.ts'

type Edges = WorkflowDocument['edges']

/** The ways out of a step that edges lead from, in the order of the edges. */
export interface UsedPorts {
  readonly ports: readonly string[]
  /** The same for the same ports. */
  readonly key: string
}

type ByStep = LayeredMap<string, UsedPorts>

/** Of a step that no edge leads from. */
export const noPorts: UsedPorts = { ports: [], key: '' }

/** Those of all steps, found once for the same edges; an edit finds those anew whose edges it changes. */
export const usedPorts: (edges: Edges) => ByStep = foundAlong<Edges, ByStep>(
  (edges) => new LayeredMap(new Map([...edgesFrom(edges)].map(([step, ids]) => [step, portsOf(edges, ids)]))),
  (used, before, now) => {
    const { put, gone, isInOrder } = changesOf(before, now)
    if (!isInOrder) return null
    const steps = new Set([...put, ...gone].flatMap((id) => [fromOf(before, id), fromOf(now, id)]))
    return used.with(
      [...steps].map((step) => {
        const ids = edgesFrom(now).get(step)
        return [step, ids === undefined ? undefined : portsOf(now, ids)]
      }),
    )
  },
)

function portsOf(edges: Readonly<Record<string, WorkflowEdge>>, ids: readonly string[]): UsedPorts {
  const ports = [...new Set(ids.flatMap((id) => edges[id]?.from.port ?? []))]
  return { ports, key: ports.join('|') }
}
