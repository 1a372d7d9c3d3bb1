/** `tasks save FILE STEP`: a custom task made of a step of a workflow file. */

import { dirname, resolve } from 'node:path'
import type { CustomTask } from '../../model/custom-task.ts'
import { suggestedKind, suggestedOpen, taskMaterial, taskOfStep } from '../../model/custom-task-of-step.ts'
import type { JsonObject } from '../../model/json.ts'
import { readDocument } from '../../model/read-document.ts'
import type { WorkflowNode } from '../../model/workflow.ts'
import { plainStep } from '../../model/written-out.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { withWholePath } from '../custom-task-file.ts'
import { createCustomTasks } from '../custom-tasks.ts'
import { dataDirectory } from '../data-directory.ts'
import { readWorkflowFile, withPath } from '../library.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'

/** Makes the task and writes its file. */
export async function saveTaskAction(
  context: CommandContext,
  { file, step }: { readonly file: string; readonly step: string },
): Promise<ExitCode> {
  const folder = createCustomTasks(dataDirectory(context.settings.values.data).tasks)
  const { tasks } = await folder.look()
  const node = await stepOf(file, step)
  const plain = plainStep({ kind: node.kind, parameters: node.parameters ?? {} }, tasks, step)
  const spec = taskSpecsByKind.get(plain.kind)
  const parameters = withWholePath(plain.kind, plain.parameters, dirname(resolve(file)))
  const material = spec === undefined ? null : taskMaterial(spec, parameters)
  if (spec === undefined || material === null) {
    throw usageError(
      `“${step}” is of the kind “${node.kind}”, which can’t be made a task.`,
      'Choose a step that does something by itself: what shapes the way of a run belongs to the drawing.',
    )
  }
  const title = textFlag(context, 'title') ?? node.title ?? spec.title
  const wish = {
    title,
    kind: textFlag(context, 'kind') ?? suggestedKind(title, [...tasks.keys()]),
    description: textFlag(context, 'description') ?? '',
    icon: textFlag(context, 'icon') ?? spec.icon,
    // One that isn't any is told by the reader of the file.
    category: (textFlag(context, 'category') ?? undefined) as CustomTask['category'],
    open: openFields(context, suggestedOpen(material)),
  }
  // A task is plain JSON data.
  const task = taskOfStep(material, wish) as unknown as JsonObject
  const saved = await folder.save(task, { replace: context.flags['replace'] === true })
  const { kind, open } = saved.task
  if (context.json) context.emit({ type: 'task.saved', kind, open, path: saved.path })
  else context.terminal.line(`Saved ${kind} in ${saved.path}.`)
  return 0
}

async function stepOf(file: string, step: string): Promise<WorkflowNode> {
  const path = resolve(file)
  const read = readDocument((await readWorkflowFile(path)).toString('utf8'))
  if (!read.ok) throw withPath(read.error, path)
  const node = Object.entries(read.value.document.nodes).find(([id]) => id === step)?.[1]
  if (node !== undefined) return node
  throw usageError(`There is no step “${step}” in ${path}.`, 'Name it by its id, as expressions do.')
}

function textFlag({ flags }: CommandContext, name: string): string | null {
  const value = flags[name]
  return typeof value === 'string' ? value : null
}

function openFields(context: CommandContext, usual: readonly string[]): readonly string[] {
  const given = textFlag(context, 'open')
  if (given === null) return usual
  const named = given.split(',').map((key) => key.trim())
  return named.filter((key) => key !== '')
}
