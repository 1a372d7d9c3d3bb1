/** Which ways out of the steps are used. Pure. */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { foundOnce } from '../rules/found-once.ts'

/** The ways out of a step that edges lead from, in the order of the edges. */
export interface UsedPorts {
  readonly ports: readonly string[]
  /** The same for the same ports. */
  readonly key: string
}

/** Of a step that no edge leads from. */
export const noPorts: UsedPorts = { ports: [], key: '' }

/** Those of all steps, found once for the same edges. */
export const usedPorts: (edges: WorkflowDocument['edges']) => ReadonlyMap<string, UsedPorts> = foundOnce(
  (edges) => {
    const used = new Map<string, string[]>()
    for (const { from } of Object.values(edges)) {
      const ports = used.get(from.node)
      if (ports === undefined) used.set(from.node, [from.port])
      else if (!ports.includes(from.port)) ports.push(from.port)
    }
    return new Map([...used].map(([id, ports]) => [id, { ports, key: ports.join('|') }]))
  },
)
