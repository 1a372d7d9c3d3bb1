/** Each node by itself: its kind, its parameters, what undoes it, its policies. */

import { edgesInto } from './graph.ts'
import type { NodeId } from './ids.ts'
import type { JsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import { parameterProblems } from './validate-parameters.ts'
import type { Validation } from './validation.ts'
import { nameOf, nodeOf, objectOrNull, problemOf } from './validation.ts'
import type { WorkflowNode } from './workflow.ts'

/** Problems of the nodes, in document order. */
export function nodeProblems(validation: Validation): readonly Problem[] {
  const problems: Problem[] = []
  for (const { id, node } of validation.graph.nodes) {
    problems.push(...kindProblems(validation, id, node))
    // Most nodes have none of these.
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

function unknownKind(at: { name: string; kind: string; field: string; nodeId: NodeId }): Problem {
  return problemOf({
    code: 'unknown_kind',
    nodeId: at.nodeId,
    field: at.field,
    message: `${at.name} is of the kind “${at.kind}”, which this Sagasmith doesn’t have.`,
    hint: 'Install the package that has it, or replace the node. Its data is kept.',
  })
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

function compensationProblems(validation: Validation, id: NodeId, node: WorkflowNode): readonly Problem[] {
  const compensation = objectOrNull(node.compensation)
  if (compensation === null) return []
  const name = nameOf(validation, id)
  const target = compensation['node']
  const task = objectOrNull(compensation['task'])
  const at = { nodeId: id, field: 'compensation' }
  if (target !== undefined && task !== null) {
    const message = `${name} names two things that undo it: a node and a task.`
    return [problemOf({ ...at, code: 'compensation_ambiguous', message, hint: 'Keep one of them.' })]
  }
  if (task !== null) return taskProblems(validation, { id, name, task })
  if (typeof target !== 'string') return []
  if (nodeOf(validation, target) === undefined) {
    const message = `${name} is to be undone by “${target}”, which isn’t in this workflow.`
    const hint = 'Pick a node of this workflow, or remove the compensation.'
    return [
      problemOf({ ...at, field: 'compensation.node', code: 'compensation_unknown_node', message, hint }),
    ]
  }
  if (target !== id) return []
  const message = `${name} is to be undone by itself.`
  const hint = 'Pick another node, or an inline task.'
  return [problemOf({ ...at, field: 'compensation.node', code: 'compensation_of_itself', message, hint })]
}

function taskProblems(
  validation: Validation,
  at: { readonly id: NodeId; readonly name: string; readonly task: JsonObject },
): readonly Problem[] {
  const kind = at.task['kind']
  if (typeof kind !== 'string') return []
  const spec = validation.taskSpecs.get(kind)
  const name = `What undoes ${at.name}`
  if (spec === undefined) return [unknownKind({ name, kind, field: 'compensation.task.kind', nodeId: at.id })]
  return parameterProblems({
    schema: spec.parameters,
    parameters: objectOrNull(at.task['parameters']) ?? {},
    name: () => name,
    field: 'compensation.task.parameters',
    nodeId: at.id,
  })
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
