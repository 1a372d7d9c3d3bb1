/** How the nodes hang together: ends and ports of edges, cycles, starts, what can never run. */

import { reachableFrom, startNodes } from './graph.ts'
import { findCycles } from './graph-cycles.ts'
import type { EdgeId } from './ids.ts'
import type { Problem } from './problem.ts'
import type { PortSpec } from './task-spec.ts'
import { bodyProblems } from './validate-bodies.ts'
import type { Validation } from './validation.ts'
import { nameOf, nodeOf, problemOf } from './validation.ts'
import type { WorkflowEdge, WorkflowNode } from './workflow.ts'
import { errorPort, inputPort } from './workflow.ts'

/** Names of a cycle that a message shows; the rest is counted. */
const namesMax = 8

/** Problems of edges and of the graph they make. */
export function structureProblems(validation: Validation): readonly Problem[] {
  if (validation.graph.nodes.length === 0) {
    const message = 'The workflow has no nodes yet.'
    return [
      problemOf({ code: 'empty_workflow', message, hint: 'Drag a task from the palette onto the canvas.' }),
    ]
  }
  return [
    ...edgeProblems(validation),
    ...duplicateEdges(validation),
    ...bodyProblems(validation),
    ...flowProblems(validation),
  ]
}

function edgeProblems(validation: Validation): readonly Problem[] {
  const problems: Problem[] = []
  for (const [id, edge] of validation.graph.drawnEdges) {
    const from = nodeOf(validation, edge.from.node)
    const to = nodeOf(validation, edge.to.node)
    if (from === undefined || to === undefined) problems.push(...endProblems(validation, id, edge))
    if (from !== undefined) problems.push(...outputProblems(validation, { id, edge, node: from }))
    if (to !== undefined) problems.push(...inputProblems(validation, { id, edge, node: to }))
  }
  return problems
}

function endProblems(validation: Validation, id: EdgeId, edge: WorkflowEdge): readonly Problem[] {
  const problems: Problem[] = []
  for (const end of ['from', 'to'] as const) {
    if (nodeOf(validation, edge[end].node) !== undefined) continue
    const verb = end === 'from' ? 'starts at' : 'leads to'
    problems.push(
      problemOf({
        code: 'unknown_edge_end',
        edgeId: id,
        field: `${end}.node`,
        message: `An edge ${verb} “${edge[end].node}”, which isn’t in this workflow.`,
        hint: 'Delete the edge, or connect it to a node.',
      }),
    )
  }
  return problems
}

/** An edge and the node at the end that is looked at. */
interface EdgeEnd {
  readonly id: EdgeId
  readonly edge: WorkflowEdge
  readonly node: WorkflowNode
}

const nothingWrong: readonly Problem[] = []

function outputProblems(validation: Validation, { id, edge, node }: EdgeEnd): readonly Problem[] {
  if (edge.from.port === errorPort) return nothingWrong
  const ports = outputPorts(validation, node)
  if (ports === null || ports.some((port) => port.id === edge.from.port)) return nothingWrong
  const known = [...ports.map((port) => port.id), errorPort].map((port) => `“${port}”`).join(', ')
  const name = nameOf(validation, edge.from.node)
  return [
    problemOf({
      code: 'unknown_port',
      edgeId: id,
      nodeId: edge.from.node,
      field: 'from.port',
      message: `An edge leaves ${name} by “${edge.from.port}”, a way out that it doesn’t have.`,
      hint: `Connect the edge to one of its ways out: ${known}.`,
    }),
  ]
}

function inputProblems(validation: Validation, { id, edge, node }: EdgeEnd): readonly Problem[] {
  const spec = validation.taskSpecs.get(node.kind)
  if (spec === undefined || (spec.hasInput && edge.to.port === inputPort)) return nothingWrong
  const at = { edgeId: id, nodeId: edge.to.node }
  const name = nameOf(validation, edge.to.node)
  if (!spec.hasInput) {
    const message = `An edge leads into ${name}, but nothing can lead into a “${spec.title}”.`
    return [problemOf({ ...at, code: 'no_input', field: 'to.node', message, hint: 'Delete the edge.' })]
  }
  const message = `An edge leads to “${edge.to.port}” of ${name}, a way in that it doesn’t have.`
  const hint = `Connect the edge to its way in, “${inputPort}”.`
  return [problemOf({ ...at, code: 'unknown_port', field: 'to.port', message, hint })]
}

/** The ways out of a node; null when they can't be known. */
function outputPorts(validation: Validation, node: WorkflowNode): readonly PortSpec[] | null {
  const spec = validation.taskSpecs.get(node.kind)
  if (spec === undefined) return null
  try {
    return spec.outputs(node.parameters ?? {})
  } catch {
    // A spec counts cases in parameters that may have a wrong form; that form is a problem of its own.
    return null
  }
}

function duplicateEdges(validation: Validation): readonly Problem[] {
  if (!mayHaveDuplicates(validation)) return []
  const seen = new Set<string>()
  const problems: Problem[] = []
  for (const [id, { from, to }] of validation.graph.drawnEdges) {
    const key = JSON.stringify([from.node, from.port, to.node, to.port])
    if (seen.has(key)) {
      const ends = `${nameOf(validation, from.node)} to ${nameOf(validation, to.node)}`
      const message = `Two edges lead from ${ends} by the same ports.`
      problems.push(problemOf({ code: 'duplicate_edge', edgeId: id, message, hint: 'Delete one of them.' }))
    }
    seen.add(key)
  }
  return problems
}

/** Whether two edges have the same ends, whatever their ports; by numbers, as texts would be made for all. */
function mayHaveDuplicates({ graph }: Validation): boolean {
  const { nodes, edges, drawnEdges } = graph
  if (edges.length < drawnEdges.length) return true
  const pairs = new Set<number>()
  for (const { source, target } of edges) pairs.add(source.index * nodes.length + target.index)
  return pairs.size < edges.length
}

function flowProblems(validation: Validation): readonly Problem[] {
  const { graph, order } = validation
  // What has an order has a start, and each node's way back leads to one.
  if (order !== null) return []
  const cycles = findCycles(graph)
  const problems = cycles.map((cycle) => {
    const names = cycle.slice(0, namesMax).map((id) => nameOf(validation, id))
    const more = cycle.length > namesMax ? [`${cycle.length - namesMax} more`] : []
    const way = [...names, ...more, names[0]].join(' → ')
    const message = `These nodes wait for each other in a circle: ${way}.`
    const hint = 'Delete one of the edges between them.'
    return problemOf({ code: 'cycle', nodeId: cycle[0] ?? null, message, hint })
  })
  const starts = startNodes(graph)
  if (starts.length === 0) {
    const message = 'There is no node to start with: something leads into each of them.'
    const hint = 'Leave at least one node without a way in.'
    problems.push(problemOf({ code: 'no_start_node', message, hint }))
  }
  const reached = reachableFrom(graph, starts)
  const inCycle = new Set(cycles.flat())
  for (const id of graph.nodeIds) {
    if (reached.has(id) || inCycle.has(id)) continue
    const message = `${nameOf(validation, id)} can never run: no way leads to it from a start.`
    const hint = 'Connect it to a node that runs, or delete it.'
    problems.push(problemOf({ code: 'unreachable', severity: 'warning', nodeId: id, message, hint }))
  }
  return problems
}
