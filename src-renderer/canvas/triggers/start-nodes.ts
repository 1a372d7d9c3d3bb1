/** The nodes that a run begins with. Pure. */

import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { undoingNodes } from '../../rules/compensation.ts'
import { placeOf } from '../geometry.ts'

/** Those that nothing leads to, from top to bottom: neither in a body, nor there to undo others. */
export function startNodes(document: WorkflowDocument): readonly string[] {
  const reached = new Set<string>(Object.values(document.edges).map(({ to }) => to.node))
  const undoing = undoingNodes(document)
  return Object.entries(document.nodes)
    .filter(([id, { parent }]) => parent === undefined && !reached.has(id) && !undoing.has(id))
    .map(([id]) => id)
    .toSorted((left, right) => {
      const [a, b] = [placeOf(document, left), placeOf(document, right)]
      return a.y - b.y || a.x - b.x
    })
}
