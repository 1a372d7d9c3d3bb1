/** A configured step becomes a task of its own kind: what it is made of, its file, and the step that uses it then. */

import type { CustomTask } from '../../src-engine/model/custom-task.ts'
import { canBeTask } from '../../src-engine/model/custom-task.ts'
import type { TaskMaterial } from '../../src-engine/model/custom-task-of-step.ts'
import { keptByStep, taskMaterial } from '../../src-engine/model/custom-task-of-step.ts'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { WorkflowNode } from '../../src-engine/model/workflow.ts'
import { becomeTask } from '../commands/change-node.ts'
import { fill } from '../text/messages.ts'
import { taskWords as words } from '../text/task-words.ts'
import type { Designer } from './designer.ts'

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
    const { path } = await connection.call('tasks.save', { task: task as unknown as JsonObject, replace })
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
