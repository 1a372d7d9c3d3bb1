/** Bodies of maps and loops: where each node stands, and that no edge crosses a border. */

import type { NodeId } from './ids.ts'
import type { Problem } from './problem.ts'
import type { Validation } from './validation.ts'
import { edgesOf, nameOf, nodeOf, nodesOf, problemOf } from './validation.ts'
import type { WorkflowDocument } from './workflow.ts'

/** Kinds whose nodes have a body. */
const isContainerKind = (kind: string): boolean => kind === 'map' || kind === 'loop'

/** Problems of `parent`, of edges between bodies, and of bodies with nothing in them. */
export function bodyProblems(validation: Validation): readonly Problem[] {
  return [...parentProblems(validation), ...borderProblems(validation), ...emptyBodies(validation)]
}

/** The container of a node; null at the top, and for a `parent` that names no map or loop. */
export function parentOf(document: WorkflowDocument, id: string): NodeId | null {
  const parent: unknown = nodeOf(document, id)?.parent
  if (typeof parent !== 'string') return null
  const container = nodeOf(document, parent)
  return container !== undefined && isContainerKind(container.kind) ? (parent as NodeId) : null
}

function parentProblems(validation: Validation): readonly Problem[] {
  const { document } = validation
  const inCircle = nodesInCircles(document)
  return nodesOf(document).flatMap(([id, node]) => {
    const parent: unknown = node.parent
    if (typeof parent !== 'string') return []
    const at = { nodeId: id, field: 'parent' }
    const container = nodeOf(document, parent)
    const name = nameOf(validation, id)
    const hint = 'Move it out, or into a map or a loop.'
    if (container === undefined) {
      const message = `${name} stands inside of “${parent}”, which isn’t in this workflow.`
      return [problemOf({ ...at, code: 'unknown_parent', message, hint })]
    }
    if (!isContainerKind(container.kind)) {
      const message = `${name} stands inside of ${nameOf(validation, parent)}, which is neither a map nor a loop.`
      return [problemOf({ ...at, code: 'parent_not_container', message, hint })]
    }
    if (!inCircle.has(id)) return []
    const message = `${name} stands inside of itself: its maps and loops contain each other in a circle.`
    return [problemOf({ ...at, code: 'parent_circle', message, hint: 'Move one of them out.' })]
  })
}

/** Each node is walked over once: a walk that meets its own trail has closed a circle. */
function nodesInCircles(document: WorkflowDocument): ReadonlySet<string> {
  const done = new Set<string>()
  const circles = new Set<string>()
  for (const [id] of nodesOf(document)) {
    const trail: string[] = []
    const onTrail = new Set<string>()
    let at: string | null = id
    while (at !== null && !done.has(at) && !onTrail.has(at)) {
      trail.push(at)
      onTrail.add(at)
      at = parentOf(document, at)
    }
    if (at !== null && onTrail.has(at))
      for (const member of trail.slice(trail.indexOf(at))) circles.add(member)
    for (const member of trail) done.add(member)
  }
  return circles
}

function borderProblems(validation: Validation): readonly Problem[] {
  const { document } = validation
  return edgesOf(document).flatMap(([id, { from, to }]) => {
    if (nodeOf(document, from.node) === undefined || nodeOf(document, to.node) === undefined) return []
    if (parentOf(document, from.node) === parentOf(document, to.node)) return []
    const ends = `${nameOf(validation, from.node)} to ${nameOf(validation, to.node)}`
    const message = `The edge from ${ends} crosses the border of a map or loop.`
    const hint = 'Connect the map or loop itself, or move both nodes to the same side.'
    return [problemOf({ code: 'edge_crosses_body', edgeId: id, message, hint })]
  })
}

function emptyBodies(validation: Validation): readonly Problem[] {
  const { document } = validation
  const filled = new Set(nodesOf(document).map(([id]) => parentOf(document, id)))
  return nodesOf(document).flatMap(([id, node]) => {
    if (!isContainerKind(node.kind) || node.disabled === true || filled.has(id)) return []
    const message = `${nameOf(validation, id)} has nothing inside to run.`
    const hint = 'Put at least one step into it, or delete it.'
    return [problemOf({ code: 'empty_body', nodeId: id, message, hint })]
  })
}
