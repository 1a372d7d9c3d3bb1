/** What undoes a node: that it is there, that it is one thing, and that it can. */

import { edgesFrom, edgesInto } from './graph.ts'
import type { NodeId } from './ids.ts'
import { nodeId } from './ids.ts'
import type { JsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import type { NotUndoing } from './undoing-kinds.ts'
import { whyNotUndoing } from './undoing-kinds.ts'
import { unknownKind } from './unknown-kind.ts'
import { parameterProblems } from './validate-parameters.ts'
import type { Validation } from './validation.ts'
import { nameOf, nodeOf, objectOrNull, problemOf } from './validation.ts'
import type { WorkflowNode } from './workflow.ts'

/** Problems of what a node says of how it is undone. */
export function compensationProblems(
  validation: Validation,
  id: NodeId,
  node: WorkflowNode,
): readonly Problem[] {
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
  if (compensation['impossible'] !== undefined && (target !== undefined || task !== null)) {
    const message = `${name} can’t be undone, as it says, and names what undoes it.`
    const hint = 'Remove the reason, or what undoes it.'
    return [problemOf({ ...at, code: 'compensation_ambiguous', message, hint })]
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
  if (target !== id) return undoingNodeProblems(validation, { id, name, target: nodeId(target) })
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
  const why = whyNotUndoing(kind)
  if (why !== null) return [wrongKind({ name, kind, why, field: 'compensation.task.kind', nodeId: at.id })]
  return parameterProblems({
    schema: spec.parameters,
    parameters: objectOrNull(at.task['parameters']) ?? {},
    name: () => name,
    field: 'compensation.task.parameters',
    nodeId: at.id,
  })
}

/** A node that undoes others is no part of the way forward. */
function undoingNodeProblems(
  validation: Validation,
  at: { readonly id: NodeId; readonly name: string; readonly target: NodeId },
): readonly Problem[] {
  const { id, name, target } = at
  const place = { nodeId: id, field: 'compensation.node' }
  const kind = nodeOf(validation, target)?.kind ?? ''
  const why = whyNotUndoing(kind)
  if (why !== null) return [wrongKind({ ...place, name: `What undoes ${name}`, kind, why })]
  const { graph } = validation
  if (edgesInto(graph, target).length === 0 && edgesFrom(graph, target).length === 0) return []
  const message = `${nameOf(validation, target)} undoes ${name}, and is connected with other nodes.`
  const hint = 'A node that undoes others runs only then: remove its edges, or use a copy of it.'
  return [problemOf({ ...place, code: 'compensation_connected', message, hint })]
}

/** What is wrong with each sort of kind, after its name. */
const wrongKindWords: Readonly<Record<NotUndoing, string>> = {
  container: 'which runs the nodes of its body: what undoes is one task',
  steers: 'which only says where a run goes on: it takes nothing back',
  waits: 'which waits for somebody: a rollback goes on by itself',
}

const wrongKind = (at: {
  readonly name: string
  readonly kind: string
  readonly why: NotUndoing
  readonly field: string
  readonly nodeId: NodeId
}): Problem =>
  problemOf({
    code: 'compensation_wrong_kind',
    nodeId: at.nodeId,
    field: at.field,
    message: `${at.name} is of the kind “${at.kind}”, ${wrongKindWords[at.why]}.`,
    hint: 'Pick a task that takes the effect back.',
  })
