/** Bodies of maps and loops: where each node stands, and that no edge crosses a border. */

import { isContainerKind } from './containers.ts'
import type { NodeId } from './ids.ts'
import type { Problem } from './problem.ts'
import type { Validation } from './validation.ts'
import { nameOf, nodeOf, problemOf } from './validation.ts'
import type { WorkflowNode } from './workflow.ts'

/** Problems of `parent`, of edges between bodies, and of bodies with nothing in them. */
export function bodyProblems(validation: Validation): readonly Problem[] {
  if (!hasBodies(validation)) return []
  return [...parentProblems(validation), ...borderProblems(validation), ...emptyBodies(validation)]
}

/** Whether anything has a body or says that it stands in one: mostly there is nothing to look at. */
const hasBodies = ({ graph }: Validation): boolean =>
  graph.nodes.some(({ node }) => node.parent !== undefined || isContainerKind(node.kind))

/** The container of a node; null at the top, and for a `parent` that names no map or loop. */
export function parentOf(validation: Validation, id: string): NodeId | null {
  return parentOfNode(validation, nodeOf(validation, id))
}

function parentOfNode(validation: Validation, node: WorkflowNode | undefined): NodeId | null {
  const parent: unknown = node?.parent
  if (typeof parent !== 'string') return null
  const container = nodeOf(validation, parent)
  return container !== undefined && isContainerKind(container.kind) ? (parent as NodeId) : null
}

function parentProblems(validation: Validation): readonly Problem[] {
  const inCircle = nodesInCircles(validation)
  return validation.graph.nodes.flatMap(({ id, node }) => {
    const parent: unknown = node.parent
    if (typeof parent !== 'string') return []
    const at = { nodeId: id, field: 'parent' }
    const container = nodeOf(validation, parent)
    const name = nameOf(validation, id)
    const hint = 'Move it out, or into a map, a loop or a semaphore.'
    if (container === undefined) {
      const message = `${name} stands inside of “${parent}”, which isn’t in this workflow.`
      return [problemOf({ ...at, code: 'unknown_parent', message, hint })]
    }
    if (!isContainerKind(container.kind)) {
      const message = `${name} stands inside of ${nameOf(validation, parent)}, which has no inside.`
      return [problemOf({ ...at, code: 'parent_not_container', message, hint })]
    }
    if (!inCircle.has(id)) return []
    const message = `${name} stands inside of itself: what is around it goes in a circle.`
    return [problemOf({ ...at, code: 'parent_circle', message, hint: 'Move one of them out.' })]
  })
}

/** Each node is walked over once: a walk that meets its own trail has closed a circle. */
function nodesInCircles(validation: Validation): ReadonlySet<string> {
  const done = new Set<string>()
  const circles = new Set<string>()
  for (const { id, node } of validation.graph.nodes) {
    if (node.parent === undefined) continue
    const trail: string[] = []
    const onTrail = new Set<string>()
    let at: string | null = id
    while (at !== null && !done.has(at) && !onTrail.has(at)) {
      trail.push(at)
      onTrail.add(at)
      at = parentOf(validation, at)
    }
    if (at !== null && onTrail.has(at))
      for (const member of trail.slice(trail.indexOf(at))) circles.add(member)
    for (const member of trail) done.add(member)
  }
  return circles
}

function borderProblems(validation: Validation): readonly Problem[] {
  return validation.graph.edges.flatMap(({ id, source, target }) => {
    if (parentOfNode(validation, source.node) === parentOfNode(validation, target.node)) return []
    const ends = `${nameOf(validation, source.id)} to ${nameOf(validation, target.id)}`
    const message = `The edge from ${ends} crosses the border of what is around one of its ends.`
    const hint = 'Connect what is around it instead, or move both nodes to the same side.'
    return [problemOf({ code: 'edge_crosses_body', edgeId: id, message, hint })]
  })
}

function emptyBodies(validation: Validation): readonly Problem[] {
  const { nodes } = validation.graph
  const filled = new Set(nodes.map(({ node }) => parentOfNode(validation, node)))
  return nodes.flatMap(({ id, node }) => {
    if (!isContainerKind(node.kind) || node.disabled === true || filled.has(id)) return []
    const message = `${nameOf(validation, id)} has nothing inside to run.`
    const hint = 'Put at least one step into it, or delete it.'
    return [problemOf({ code: 'empty_body', nodeId: id, message, hint })]
  })
}
