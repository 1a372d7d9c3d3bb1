/** A configured step becomes a task of its own kind: what it is made of, its file, and the step that uses it then. */

import type { CustomTask } from '../../src-engine/model/custom-task.ts'
import { canBeTask } from '../../src-engine/model/custom-task.ts'
import type { TaskMaterial } from '../../src-engine/model/custom-task-of-step.ts'
import { keptByStep, taskMaterial } from '../../src-engine/model/custom-task-of-step.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { callKind } from '../../src-engine/model/pinned-versions.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { WorkflowNode } from '../../src-engine/model/workflow.ts'
import { becomeTask } from '../commands/change-node.ts'
import { fill } from '../text/messages.ts'
import { taskWords as words } from '../text/task-words.ts'
import type { Designer } from './designer.ts'
import { calledBy, wholeReference } from './extracting.ts'

interface SelectedStep {
  readonly id: NodeId
  readonly node: WorkflowNode
  readonly base: TaskSpec
  /** Those of the base kind. */
  readonly parameters: JsonObject
}

/** The one selected step, as what its kind stands for; null where it can't be made a task. */
export function selectedStep(designer: Designer): SelectedStep | null {
  const [chosen, another] = designer.view.getState().selection.nodes
  if (chosen === undefined || another !== undefined) return null
  const id = nodeId(chosen)
  const node = designer.document.getState().history.document.nodes[id]
  if (node === undefined) return null
  const task = taskOfKind(designer, node.kind)
  const base = designer.specs.get(task?.based.kind ?? node.kind)
  if (base === undefined || !canBeTask(base)) return null
  return { id, node, base, parameters: { ...task?.based.parameters, ...node.parameters } }
}

/** What a task of the step can be made of. */
export const materialOf = ({ base, parameters }: SelectedStep): TaskMaterial | null =>
  taskMaterial(base, parameters)

/** The task of a kind that people made; undefined for a kind of the catalogue, or one that isn't there. */
export const taskOfKind = ({ customTasks }: Designer, kind: string): CustomTask | undefined =>
  customTasks.getState().folder.tasks.find((task) => task.kind === kind)

/** The workflow that a step calls: what it is called, and the form of what it gets; null where that isn't known. */
export async function calledForm(
  designer: Designer,
  { id, base }: SelectedStep,
): Promise<{ readonly title: string; readonly inputForm: JsonObject } | null> {
  const isCall = designer.document.getState().history.document.nodes[id]?.kind === callKind
  if (base.kind !== callKind || !isCall) return null
  try {
    const { title, input } = await calledBy(designer, id)
    if (input === undefined || !isJsonObject(input['properties'])) return null
    return Object.keys(input['properties']).length === 0 ? null : { title, inputForm: input }
  } catch {
    // It is named by an expression, or isn't there: the task asks for its input as the step does.
    return null
  }
}

/** A task to be saved, and what becomes of the step that it was made of. */
export interface TaskToSave {
  readonly step: NodeId
  readonly material: TaskMaterial
  readonly task: CustomTask
  readonly replace: boolean
  /** Whether the step is one of the task then. */
  readonly becomes: boolean
}

/** Writes its file; `taken` where there is one of the kind and nobody said that it may be replaced. */
export async function saveTask(designer: Designer, saving: TaskToSave): Promise<'saved' | 'taken'> {
  const { connection, customTasks, view, document } = designer
  const { task, material, step, replace, becomes } = saving
  try {
    // A task is plain JSON data.
    const json = (await namedForAll(designer, task)) as unknown as JsonObject
    const { path } = await connection.call('tasks.save', { task: json, replace })
    customTasks.getState().take(await connection.call('tasks.custom', {}))
    if (becomes) document.getState().edit(becomeTask(step, task, keptByStep(material, task)))
    const { title } = task
    view
      .getState()
      .toast({ tone: 'good', message: fill(words.saved, { title }), hint: fill(words.savedHint, { path }) })
    return 'saved'
  } catch (thrown) {
    if (thrown instanceof SagasmithError && thrown.code === 'task_kind_taken') return 'taken'
    throw thrown
  }
}

/** A task is used from everywhere: a workflow that the step names from where its file is gets its id or whole path. */
async function namedForAll(designer: Designer, task: CustomTask): Promise<CustomTask> {
  const { kind, parameters } = task.based
  const reference = parameters['workflow']
  if (kind !== callKind || typeof reference !== 'string' || !reference.startsWith('.')) return task
  const workflow = await wholeReference(designer, reference)
  return { ...task, based: { kind, parameters: { ...parameters, workflow } } }
}
