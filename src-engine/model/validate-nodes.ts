/** Each node by itself: its kind, its parameters, what undoes it, its policies. */

import { edgesInto } from './graph.ts'
import type { NodeId } from './ids.ts'
import type { Problem } from './problem.ts'
import { unknownKind } from './unknown-kind.ts'
import { compensationProblems } from './validate-compensation.ts'
import { parameterProblems } from './validate-parameters.ts'
import type { Validation } from './validation.ts'
import { nameOf, objectOrNull, problemOf } from './validation.ts'
import type { WorkflowNode } from './workflow.ts'

/** Problems of the nodes, in document order. */
export function nodeProblems(validation: Validation): readonly Problem[] {
  const problems: Problem[] = []
  for (const { id, node } of validation.graph.nodes) {
    problems.push(...kindProblems(validation, id, node))
    // Most nodes have none of these.
    if (node.onLost === 'verify') problems.push(...probeProblems(validation, id, node))
    if (node.join !== undefined) problems.push(...joinProblems(validation, id, node))
    if (node.compensation !== undefined) problems.push(...compensationProblems(validation, id, node))
    if (node.concurrency !== undefined) problems.push(...concurrencyProblems(validation, id, node))
  }
  return problems
}

function kindProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const spec = validation.taskSpecs.get(node.kind)
  if (spec === undefined) {
    return [unknownKind({ name: nameOf(validation, id), kind: node.kind, field: 'kind', nodeId: id })]
  }
  return parameterProblems({
    schema: spec.parameters,
    parameters: node.parameters ?? {},
    name: () => nameOf(validation, id),
    field: 'parameters',
    nodeId: id,
  })
}

function probeProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const spec = validation.taskSpecs.get(node.kind)
  if (spec === undefined || spec.probes?.(node.parameters ?? {}) === true) return []
  const message = `${nameOf(validation, id)} is to find out whether it happened, and its kind can’t.`
  const hint = 'Ask a person instead, or use a task with code that has a probe.'
  return [problemOf({ code: 'probe_missing', nodeId: id, field: 'onLost', message, hint })]
}

function joinProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const join = objectOrNull(node.join)
  const count = join?.['count'] ?? 1
  if (join?.['mode'] !== 'count' || typeof count !== 'number') return []
  const ways = edgesInto(validation.graph, id).length
  if (count <= ways) return []
  const name = nameOf(validation, id)
  const message = `${name} waits for ${count} ways in but has ${ways}: it would never start.`
  const hint = `Lower the number to at most ${ways}, or connect more ways in.`
  return [problemOf({ code: 'join_impossible', nodeId: id, field: 'join.count', message, hint })]
}

function concurrencyProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const policy = objectOrNull(node.concurrency)
  if (policy?.['registration'] !== 'KEYS' && policy?.['running'] !== 'KEYS') return []
  const keys = policy['keys']
  if (Array.isArray(keys) && keys.length > 0) return []
  const message = `${nameOf(validation, id)} limits concurrency by keys but names none.`
  const hint = 'Name at least one parameter as key, or choose another mode.'
  return [
    problemOf({ code: 'concurrency_without_keys', nodeId: id, field: 'concurrency.keys', message, hint }),
  ]
}
