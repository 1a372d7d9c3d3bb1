/** Whether the work, once it has come to one step, comes to another one whatever is decided on the way. Pure. */

import type { WorkflowGraph } from '../graph.ts'
import { edgesFromPort } from '../graph.ts'
import type { NodeId } from '../ids.ts'
import type { WorkflowNode } from '../workflow.ts'
import { errorPort, outputPort } from '../workflow.ts'
import type { TaskSpecs } from './node-expressions.ts'

export interface Shape {
  readonly graph: WorkflowGraph
  readonly specs: TaskSpecs
}

/** Unless something fails that nobody handles: then the run has failed as a whole. */
export function leadsTo(shape: Shape, from: NodeId, to: NodeId): boolean {
  const known = new Map<NodeId, boolean>()
  const leads = (id: NodeId): boolean => {
    const before = known.get(id)
    if (before !== undefined) return before
    // A drawing with a circle leads nowhere for certain.
    known.set(id, false)
    const found = nextOf(shape, id, (next) => !isDoubtful(shape, next) && leads(next))
    known.set(id, mayEndAt(shape, id) ? false : id === to || found)
    return known.get(id) ?? false
  }
  return leads(from)
}

/** Whether every way on from a step has an edge that is as wanted. */
function nextOf(shape: Shape, id: NodeId, isWanted: (next: NodeId) => boolean): boolean {
  const { graph, specs } = shape
  const node = graph.nodeById.get(id)?.node
  if (node === undefined) return false
  const isGood = (port: string): boolean => edgesFromPort(graph, id, port).some(({ to }) => isWanted(to))
  const ports = portsOf(node, specs)
  const hasHandler = edgesFromPort(graph, id, errorPort).length > 0
  if (hasHandler && !isGood(errorPort)) return false
  // All branches of a fork are gone.
  return node.kind === 'fork' ? ports.some(isGood) : ports.length > 0 && ports.every(isGood)
}

function portsOf(node: WorkflowNode, specs: TaskSpecs): readonly string[] {
  if (node.bypassed === true) return [outputPort]
  return (specs.get(node.kind)?.outputs(node.parameters ?? {}) ?? []).map(({ id }) => id)
}

/** Switched off, or skipped by a condition together with what follows: then nothing goes on from it. */
function mayEndAt({ graph }: Shape, id: NodeId): boolean {
  const { disabled, bypassed, skipIf = '', onSkip } = graph.nodeById.get(id)?.node ?? {}
  return disabled === true || (bypassed !== true && skipIf.trim() !== '' && onSkip !== 'pass')
}

/** A join that waits for a number of ways may get fewer. */
const isDoubtful = ({ graph }: Shape, id: NodeId): boolean =>
  graph.nodeById.get(id)?.node.join?.mode === 'count'

/** Whether the work of a level may end with a step: some way on from it leads nowhere. */
export const mayEnd = (shape: Shape, id: NodeId): boolean => loosePorts(shape, id).length > 0

/** The ways on with which the work of a level may end at a step: nothing is taken beside them. */
export function loosePorts({ graph, specs }: Shape, id: NodeId): readonly string[] {
  const node = graph.nodeById.get(id)?.node
  if (node === undefined) return []
  const ports = portsOf(node, specs)
  const loose = ports.filter((port) => edgesFromPort(graph, id, port).length === 0)
  // A fork goes all of its ways: it has gone on as soon as one of them leads somewhere.
  return node.kind === 'fork' && node.bypassed !== true && loose.length < ports.length ? [] : loose
}

/** A step that may go some of its ways and not others at a time, of which some lead nowhere. */
export function isMixed(shape: Shape, id: NodeId): boolean {
  const { graph, specs } = shape
  const node = graph.nodeById.get(id)?.node
  if (node === undefined || node.kind === 'fork' || node.bypassed === true) return false
  const takesSeveral = specs.get(node.kind)?.takesSeveralWays?.(node.parameters ?? {}) ?? false
  const loose = loosePorts(shape, id).length
  return takesSeveral && loose > 0 && loose < portsOf(node, specs).length
}
