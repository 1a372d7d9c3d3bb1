/**
 * A document whose custom tasks are written out as the kinds that they stand for. This is what gets a hash and
 * is published: runners need no task files, and a changed file is for runs that begin later.
 */

import type { CodeTask } from './code-task.ts'
import { codeTaskStep } from './code-task.ts'
import { isCustomKind } from './custom-kind.ts'
import type { CustomTask } from './custom-task.ts'
import { SagasmithError } from './errors.ts'
import { apartFromForm } from './input-form.ts'
import type { JsonObject } from './json.ts'
import { isJsonObject } from './json.ts'
import { holdsBack, versionGap } from './task-versions.ts'
import type { WorkflowDocument, WorkflowNode } from './workflow.ts'

/** By kind; those with code also by the kind of their undo. */
export type CustomTasks = ReadonlyMap<string, CustomTask | CodeTask>

/** Whether some node, or what undoes one, is of a kind that people made. */
export const namesCustomTasks = ({ nodes }: WorkflowDocument): boolean =>
  Object.values(nodes).some(
    ({ kind, compensation }) => isCustomKind(kind) || isCustomKind(compensation?.task?.kind ?? ''),
  )

/**
 * The same document where it has no custom task. Kinds that aren't there stay: whoever validates tells. Throws
 * `document_invalid` where a node has a value for a parameter that its task has fixed, `task_not_migrated` where its
 * parameters mean something else by now.
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
  if ('face' in task) return codeTaskStep(task, { ...step, parameters: knownParameters(task, step, id) })
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
  // What was set up for which version is said by the code that is written out.
  const { taskVersion: _noted, ...kept } = node
  refuseOtherVersion(task, node, id)
  refuseOtherVersion(tasks.get(undo?.kind ?? ''), undo, id)
  return {
    ...(task === undefined ? node : kept),
    ...(task === undefined ? {} : { ...plainStep({ kind, parameters }, tasks, id), ...namedAs(node, task) }),
    ...(undo === undefined || !tasks.has(undo.kind)
      ? {}
      : { compensation: { ...compensation, task: plainStep(undo, tasks, id) } }),
  }
}

/** Whoever checked the document was told already; nobody runs parameters that don't mean what they did. */
function refuseOtherVersion(
  task: CustomTask | CodeTask | undefined,
  step: Pick<WorkflowNode, 'kind' | 'taskVersion'> | undefined,
  id: string,
): void {
  if (task === undefined || !('face' in task) || step?.kind !== task.face.kind) return
  const { version: here, hasMigrate: migrates, title, kind } = task.face
  const madeFor = step.taskVersion ?? null
  if (!holdsBack({ gap: versionGap({ madeFor, here }), migrates })) return
  throw new SagasmithError('task_not_migrated', {
    message: `“${id}” was set up for version ${madeFor} of the task “${title}” (${kind}), and version ${here} is here.`,
    details: { nodeId: id, kind, madeFor, here },
  })
}

/** What a step says of itself, else what its task says. */
function namedAs({ title, sideEffect }: WorkflowNode, task: CustomTask | CodeTask): Partial<WorkflowNode> {
  if (!('face' in task)) return { title: title ?? task.title }
  return { title: title ?? task.face.title, sideEffect: sideEffect ?? task.face.sideEffect }
}

/** Those of a task with code. Throws `document_invalid` for one that it doesn't have. */
function knownParameters({ face }: CodeTask, { kind, parameters }: PlainStep, id: string): JsonObject {
  if (kind !== face.kind) return parameters
  const { properties } = face.parameters
  const known = isJsonObject(properties) ? properties : {}
  const other = Object.keys(parameters).find((key) => !Object.hasOwn(known, key))
  if (other === undefined) return parameters
  throw new SagasmithError('document_invalid', {
    message: `“${id}” has a value for “${other}”, which the task “${face.title}” (${kind}) doesn’t have.`,
    hint: 'Remove the value from the node, or add the parameter in the file of the task.',
    details: { nodeId: id, field: `parameters.${other}`, kind },
  })
}

function fullParameters(task: CustomTask, given: JsonObject, id: string): JsonObject {
  const { own, input } = apartFromForm(task, given)
  const fixed = Object.keys(own).find((key) => !task.open.includes(key))
  if (fixed === undefined) return { ...task.based.parameters, ...own, ...(input === null ? {} : { input }) }
  throw new SagasmithError('document_invalid', {
    message: `“${id}” has a value for “${fixed}”, which the task “${task.title}” (${task.kind}) has fixed.`,
    hint: 'Remove the value from the node, or open the parameter in the file of the task.',
    details: { nodeId: id, field: `parameters.${fixed}`, kind: task.kind },
  })
}
