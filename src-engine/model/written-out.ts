/**
 * A document whose custom tasks are written out as the kinds that they stand for. This is what gets a hash and
 * is published: runners need no task files, and a changed file is for runs that begin later.
 */

import { isCustomKind } from './custom-kind.ts'
import type { CustomTask } from './custom-task.ts'
import { SagasmithError } from './errors.ts'
import type { JsonObject } from './json.ts'
import type { WorkflowDocument, WorkflowNode } from './workflow.ts'

/** By kind. */
export type CustomTasks = ReadonlyMap<string, CustomTask>

/** Whether some node, or what undoes one, is of a kind that people made. */
export const namesCustomTasks = ({ nodes }: WorkflowDocument): boolean =>
  Object.values(nodes).some(
    ({ kind, compensation }) => isCustomKind(kind) || isCustomKind(compensation?.task?.kind ?? ''),
  )

/**
 * The same document where it has no custom task. Kinds that aren't there stay: whoever validates tells. Throws
 * `document_invalid` where a node has a value for a parameter that its task has fixed.
 */
export function writtenOut(document: WorkflowDocument, tasks: CustomTasks): WorkflowDocument {
  if (!namesCustomTasks(document)) return document
  const nodes = Object.entries(document.nodes).map(([id, node]) => [id, plainNode(node, id, tasks)])
  // The nodes keep their ids.
  return { ...document, nodes: Object.fromEntries(nodes) }
}

/** A step as what its kind stands for; the same one for a kind of the catalogue, or one that isn't there. */
export function plainStep(step: PlainStep, tasks: CustomTasks, id: string): PlainStep {
  const task = tasks.get(step.kind)
  if (task === undefined) return step
  return { kind: task.based.kind, parameters: fullParameters(task, step.parameters, id) }
}

/** What a step does, without what it is called and how it is tried. */
export interface PlainStep {
  readonly kind: string
  readonly parameters: JsonObject
}

function plainNode(node: WorkflowNode, id: string, tasks: CustomTasks): WorkflowNode {
  const { kind, parameters = {}, compensation } = node
  const task = tasks.get(kind)
  const undo = compensation?.task
  return {
    ...node,
    ...(task === undefined
      ? {}
      : { ...plainStep({ kind, parameters }, tasks, id), title: node.title ?? task.title }),
    ...(undo === undefined || !tasks.has(undo.kind)
      ? {}
      : { compensation: { ...compensation, task: plainStep(undo, tasks, id) } }),
  }
}

function fullParameters(task: CustomTask, given: JsonObject, id: string): JsonObject {
  const fixed = Object.keys(given).find((key) => !task.open.includes(key))
  if (fixed === undefined) return { ...task.based.parameters, ...given }
  throw new SagasmithError('document_invalid', {
    message: `“${id}” has a value for “${fixed}”, which the task “${task.title}” (${task.kind}) has fixed.`,
    hint: 'Remove the value from the node, or open the parameter in the file of the task.',
    details: { nodeId: id, field: `parameters.${fixed}`, kind: task.kind },
  })
}
