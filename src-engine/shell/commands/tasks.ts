/** `tasks`: the custom tasks of this data directory. */

import type { CustomTask } from '../../model/custom-task.ts'
import { inputJsonSchema } from '../../model/schema-walk.ts'
import type { CustomTaskFolder } from '../custom-tasks.ts'
import { createCustomTasks } from '../custom-tasks.ts'
import { dataDirectory } from '../data-directory.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { saveTaskAction } from './tasks-save.ts'

interface Action {
  readonly run: (context: CommandContext, words: readonly string[]) => Promise<ExitCode>
  readonly usage: string
  /** How many arguments it takes. */
  readonly args: number
}

const actions: Readonly<Record<string, Action>> = {
  list: { run: list, usage: 'list', args: 0 },
  show: { run: (context, [kind = '']) => show(context, kind), usage: 'show KIND', args: 1 },
  save: {
    run: (context, [file = '', step = '']) => saveTaskAction(context, { file, step }),
    usage:
      'save FILE STEP [--title TITLE] [--kind KIND] [--open FIELDS] [--description TEXT] [--icon ICON] [--category CATEGORY] [--replace]',
    args: 2,
  },
  remove: { run: (context, [kind = '']) => remove(context, kind), usage: 'remove KIND', args: 1 },
}

const saveFlags = ['title', 'kind', 'open', 'description', 'icon', 'category', 'replace'] as const

export const tasksCommand: Command = {
  usage: `tasks ${Object.keys(actions).join('|')} …`,
  forms: Object.values(actions).map(({ usage }) => `sagasmith tasks ${usage}`),
  summary: 'List the custom tasks of this data directory, and make one of a step.',
  options: {
    title: { type: 'string' },
    kind: { type: 'string' },
    open: { type: 'string' },
    description: { type: 'string' },
    icon: { type: 'string' },
    category: { type: 'string' },
    replace: { type: 'boolean' },
  },
  optionHelp: [
    ['save FILE STEP', 'make a task of a step of a workflow file, by the step’s id'],
    ['--title TITLE', 'what the palette calls it (default: the title of the step)'],
    ['--kind KIND', 'what nodes call it, such as acme.read-order (default: made of the title)'],
    ['--open FIELDS', 'the parameters that stay open, with commas: url,headers (default: those that must)'],
    ['--icon ICON, --category CATEGORY', 'as in the file of a task'],
    ['--replace', 'replace the task of the same kind'],
    ['remove KIND', 'delete the file of a task'],
  ],
  positionals: { min: 1, max: 3 },
  run: (context) => {
    const [name = '', ...words] = context.positionals
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined || words.length !== action.args) {
      throw usageError(`That is no use of “tasks ${name}”.`, `Usage: sagasmith ${tasksCommand.usage}`)
    }
    const flag = saveFlags.find((one) => context.flags[one] !== undefined)
    if (flag !== undefined && name !== 'save') {
      const usage = `Usage: sagasmith tasks ${action.usage}`
      throw usageError(`“tasks ${name}” has no --${flag}.`, usage)
    }
    return action.run(context, words)
  },
}

const folderOf = ({ settings }: CommandContext): CustomTaskFolder =>
  createCustomTasks(dataDirectory(settings.values.data).tasks)

async function list(context: CommandContext): Promise<ExitCode> {
  const { tasks, problems, homes } = await folderOf(context).look()
  const { terminal, json, emit } = context
  const { dim, red } = terminal.colors
  const width = Math.max(0, ...[...tasks.keys()].map((kind) => kind.length))
  for (const [kind, task] of tasks) {
    const path = homes.get(kind) ?? null
    if (json) emit({ type: 'task', kind, title: task.title, based: task.based.kind, open: task.open, path })
    else terminal.line(`${kind.padEnd(width)}  ${task.title}  ${dim(task.based.kind)}`)
  }
  for (const problem of problems) {
    if (json) emit({ type: 'problem', ...problem })
    else terminal.errorLine(`${red('error')} ${problem.message}`)
  }
  if (!json && tasks.size + problems.length === 0) {
    terminal.line('There are no custom tasks: make one of a step with “Save as a task” in the designer.')
  }
  return problems.length === 0 ? 0 : 1
}

async function show(context: CommandContext, kind: string): Promise<ExitCode> {
  const folder = folderOf(context)
  const { tasks, specs, homes } = await folder.look()
  const task = tasks.get(kind)
  // Throws the refusal of what isn't there.
  if (task === undefined) return remove(context, kind)
  const spec = specs.get(kind)
  const path = homes.get(kind) ?? null
  const form = spec === undefined ? null : inputJsonSchema(spec.parameters)
  if (context.json) context.emit({ type: 'task', ...task, path, form })
  else for (const line of linesOf(task, path)) context.terminal.line(line)
  return 0
}

function linesOf(
  { kind, title, description, based, open }: CustomTask,
  path: string | null,
): readonly string[] {
  const fixed = Object.keys(based.parameters).filter((key) => !open.includes(key))
  const fields = (keys: readonly string[]): string => (keys.length === 0 ? 'none' : keys.join(', '))
  return [
    `${title} (${kind})`,
    ...(description === '' ? [] : [description]),
    `based on  ${based.kind}`,
    `open      ${fields(open)}`,
    `fixed     ${fields(fixed)}`,
    `file      ${path ?? ''}`,
  ]
}

async function remove(context: CommandContext, kind: string): Promise<ExitCode> {
  const path = await folderOf(context).remove(kind)
  if (context.json) context.emit({ type: 'task.removed', kind, path })
  else context.terminal.line(`Removed ${kind}: ${path} is deleted.`)
  return 0
}
