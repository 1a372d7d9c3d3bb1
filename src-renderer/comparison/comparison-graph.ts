/** Two runs as one picture: the way that both went stays grey, what only one of them did stands out. Pure. */

import type { StepComparison, StepSide } from '../../src-engine/model/comparison/step-comparison.ts'
import { onlyIn } from '../../src-engine/model/comparison/step-comparison.ts'
import type { LoadedComparison } from '../../src-engine/protocol/load-comparison.ts'
import type { DiffGraph, DiffMark, NodeDelta } from '../canvas/diff/diff-graph.ts'
import { diffGraph } from '../canvas/diff/diff-graph.ts'
import { spanWords } from '../ui/time-words.ts'

type Compared = Pick<LoadedComparison, 'steps' | 'changes' | 'divergence' | 'before' | 'after'>

/** The later version with what both runs did on it; nodes that only the earlier version has are ghosts. */
export function comparisonGraph({ steps, changes, divergence, before, after }: Compared): DiffGraph {
  const drawn = diffGraph(before.document, after.document, changes)
  const nodes = new Map<string, DiffMark>()
  const deltas = new Map<string, NodeDelta>()
  for (const [id, ofNode] of Map.groupBy(steps, ({ nodeId }) => nodeId)) {
    const mark = id === divergence?.nodeId ? 'parts' : markOf(ofNode)
    if (mark !== null) nodes.set(id, mark)
    const delta = deltaOf(ofNode)
    if (delta !== null) deltas.set(id, delta)
  }
  const edges = new Map<string, DiffMark>()
  for (const [id, { from }] of Object.entries(drawn.document.edges)) {
    const leaving = steps.filter(({ nodeId }) => nodeId === from.node)
    const was = leaving.some((step) => isTaken(step.before, from.port))
    const is = leaving.some((step) => isTaken(step.after, from.port))
    if (was !== is) edges.set(id, was ? 'removed' : 'added')
  }
  return { document: drawn.document, nodes, edges, deltas }
}

/** The plainest that can be said of all turns of a node; null for one that did the same in both runs. */
function markOf(steps: readonly StepComparison[]): DiffMark | null {
  const differing = steps.filter(({ differences }) => differences.length > 0)
  if (differing.length === 0) return null
  const sides = new Set(steps.map(onlyIn))
  if (sides.size === 1 && sides.has('before')) return 'removed'
  return sides.size === 1 && sides.has('after') ? 'added' : 'changed'
}

const isTaken = (side: StepSide | null, port: string): boolean => {
  if (side === null) return false
  return side.status === 'SUCCESS' && side.ways === null ? port !== 'error' : (side.ways ?? []).includes(port)
}

/** Less than this is noise, whatever its share. */
const noiseMs = 20

/** How much longer the turns of a node took together; null where that says nothing. */
function deltaOf(steps: readonly StepComparison[]): NodeDelta | null {
  const known = steps.filter(({ deltaMs }) => deltaMs !== null)
  const delta = known.reduce((sum, { deltaMs }) => sum + (deltaMs ?? 0), 0)
  const was = known.reduce((sum, { before }) => sum + (before?.tookMs ?? 0), 0)
  if (Math.abs(delta) < noiseMs || Math.abs(delta) < was / 10) return null
  const share = Math.abs(delta) / Math.max(was, 1)
  return {
    text: `${delta > 0 ? '+' : '−'}${spanWords(Math.abs(delta))}`,
    isSlower: delta > 0,
    heat: share > 2 ? 3 : share > 0.5 ? 2 : 1,
  }
}
