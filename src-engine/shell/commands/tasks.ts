/** `tasks`: the custom tasks of this data directory. */

import type { CodeTaskFace } from '../../model/code-task.ts'
import type { CustomTask } from '../../model/custom-task.ts'
import { inputJsonSchema } from '../../model/schema-walk.ts'
import type { CustomTaskFolder } from '../custom-tasks.ts'
import { createCustomTasks } from '../custom-tasks.ts'
import { dataDirectory } from '../data-directory.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { migrateTasksAction } from './tasks-migrate.ts'
import { saveTaskAction } from './tasks-save.ts'

interface Action {
  readonly run: (context: CommandContext, words: readonly string[]) => Promise<ExitCode>
  readonly usage: string
  /** How many arguments it takes. */
  readonly args: number
  /** The options that are its own. */
  readonly flags?: readonly string[]
}

const actions: Readonly<Record<string, Action>> = {
  list: { run: list, usage: 'list', args: 0 },
  show: { run: (context, [kind = '']) => show(context, kind), usage: 'show KIND', args: 1 },
  save: {
    run: (context, [file = '', step = '']) => saveTaskAction(context, { file, step }),
    usage:
      'save FILE STEP [--title TITLE] [--kind KIND] [--open FIELDS] [--description TEXT] [--icon ICON] [--category CATEGORY] [--replace]',
    args: 2,
    flags: ['title', 'kind', 'open', 'description', 'icon', 'category', 'replace'],
  },
  migrate: {
    run: (context, [file = '']) => migrateTasksAction(context, file),
    usage: 'migrate FILE [--step STEP [--from VERSION]] [--keep] [--dry-run]',
    args: 1,
    flags: ['step', 'from', 'keep', 'dry-run'],
  },
  test: { run: (context, [kind = '']) => test(context, kind), usage: 'test KIND', args: 1 },
  remove: { run: (context, [kind = '']) => remove(context, kind), usage: 'remove KIND', args: 1 },
}

const ownFlags = Object.values(actions).flatMap(({ flags = [] }) => flags)

export const tasksCommand: Command = {
  usage: `tasks ${Object.keys(actions).join('|')} …`,
  forms: Object.values(actions).map(({ usage }) => `sagasmith tasks ${usage}`),
  summary:
    'List the custom tasks of this data directory, try them, make one of a step, and have steps follow them.',
  options: {
    title: { type: 'string' },
    kind: { type: 'string' },
    open: { type: 'string' },
    description: { type: 'string' },
    icon: { type: 'string' },
    category: { type: 'string' },
    replace: { type: 'boolean' },
    step: { type: 'string' },
    from: { type: 'string' },
    keep: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  optionHelp: [
    ['save FILE STEP', 'make a task of a step of a workflow file, by the step’s id'],
    ['--title TITLE', 'what the palette calls it (default: the title of the step)'],
    ['--kind KIND', 'what nodes call it, such as acme.read-order (default: made of the title)'],
    ['--open FIELDS', 'the parameters that stay open, with commas: url,headers (default: those that must)'],
    ['--icon ICON, --category CATEGORY', 'as in the file of a task'],
    ['--replace', 'replace the task of the same kind'],
    [
      'migrate FILE',
      'have the steps that were set up for other versions of their tasks follow them; all or none',
    ],
    ['--step STEP', 'only this one, by its id; also where nobody noted what it was set up for'],
    ['--from VERSION', 'what it was set up for, where that isn’t noted, or noted wrongly'],
    ['--keep', 'note the version that is here, and leave the parameters as they are'],
    ['--dry-run', 'say what would change, and write nothing'],
    [
      'test KIND',
      'try a task with code, with nothing sent: its mock, the form of its output, its undo, also when that is killed',
    ],
    ['remove KIND', 'delete the file of a task'],
  ],
  positionals: { min: 1, max: 3 },
  run: (context) => {
    const [name = '', ...words] = context.positionals
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined || words.length !== action.args) {
      throw usageError(`That is no use of “tasks ${name}”.`, `Usage: sagasmith ${tasksCommand.usage}`)
    }
    const flag = ownFlags.find((one) => context.flags[one] !== undefined && !action.flags?.includes(one))
    if (flag !== undefined) {
      const usage = `Usage: sagasmith tasks ${action.usage}`
      throw usageError(`“tasks ${name}” has no --${flag}.`, usage)
    }
    return action.run(context, words)
  },
}

const folderOf = ({ settings }: CommandContext): CustomTaskFolder =>
  createCustomTasks(dataDirectory(settings.values.data).tasks)

async function list(context: CommandContext): Promise<ExitCode> {
  const { tasks, code, problems, homes } = await folderOf(context).look()
  const { terminal, json, emit } = context
  const { dim, red } = terminal.colors
  const width = Math.max(0, ...[...tasks.keys(), ...code.keys()].map((kind) => kind.length))
  for (const [kind, task] of tasks) {
    const path = homes.get(kind) ?? null
    if (json) emit({ type: 'task', kind, title: task.title, based: task.based.kind, open: task.open, path })
    else terminal.line(`${kind.padEnd(width)}  ${task.title}  ${dim(task.based.kind)}`)
  }
  for (const [kind, { face }] of code) {
    const { title, version, hosts, secrets } = face
    const path = homes.get(kind) ?? null
    if (json) emit({ type: 'task', kind, title, version, hosts, secrets, path })
    else terminal.line(`${kind.padEnd(width)}  ${title}  ${dim(`code ${version}`)}`)
  }
  for (const problem of problems) {
    if (json) emit({ type: 'problem', ...problem })
    else terminal.errorLine(`${red('error')} ${problem.message}`)
  }
  if (!json && tasks.size + code.size + problems.length === 0) {
    terminal.line('There are no custom tasks: make one of a step with “Save as a task” in the designer.')
  }
  return problems.length === 0 ? 0 : 1
}

async function show(context: CommandContext, kind: string): Promise<ExitCode> {
  const folder = folderOf(context)
  const { tasks, code, specs, homes } = await folder.look()
  const task = tasks.get(kind) ?? code.get(kind)?.face
  // Throws the refusal of what isn't there.
  if (task === undefined) return remove(context, kind)
  const spec = specs.get(kind)
  const path = homes.get(kind) ?? null
  const form = spec === undefined ? null : inputJsonSchema(spec.parameters)
  if (context.json) context.emit({ type: 'task', ...task, path, form })
  else for (const line of linesOf(task, path)) context.terminal.line(line)
  return 0
}

type Shown = CustomTask | CodeTaskFace

function linesOf(task: Shown, path: string | null): readonly string[] {
  const { title, kind, description } = task
  const told = 'based' in task ? linesOfData(task) : linesOfCode(task)
  const more = description === '' ? [] : [description]
  return [`${title} (${kind})`, ...more, ...told, `file      ${path ?? ''}`]
}

const named = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))

function linesOfData({ based, open }: CustomTask): readonly string[] {
  const fixed = Object.keys(based.parameters).filter((key) => !open.includes(key))
  return [`based on  ${based.kind}`, `open      ${named(open)}`, `fixed     ${named(fixed)}`]
}

const linesOfCode = ({
  version,
  sideEffect,
  hosts,
  secrets,
  hasUndo,
  hasProbe,
  hasMigrate,
}: CodeTaskFace): readonly string[] => [
  `code      version ${version}, ${sideEffect}`,
  `hosts     ${named(hosts)}`,
  `secrets   ${named(secrets)}`,
  `undo      ${hasUndo ? 'its own' : 'none'}`,
  `probe     ${hasProbe ? 'its own' : 'none'}`,
  `migrate   ${hasMigrate ? 'its own' : 'none'}`,
]

const partNames = {
  mock: 'mock',
  output: 'form of the output',
  compensate: 'undo',
  killed: 'undo, killed',
} as const

async function test(context: CommandContext, kind: string): Promise<ExitCode> {
  const checks = await folderOf(context).test(kind)
  const { green, red } = context.terminal.colors
  for (const { what, isPassed, message } of checks) {
    if (context.json) context.emit({ type: 'task.checked', kind, what, isPassed, message })
    else
      context.terminal.line(
        `${isPassed ? green('ok') : red('failed')}  ${partNames[what]}  ${message}`.trimEnd(),
      )
  }
  return checks.every(({ isPassed }) => isPassed) ? 0 : 1
}

async function remove(context: CommandContext, kind: string): Promise<ExitCode> {
  const path = await folderOf(context).remove(kind)
  if (context.json) context.emit({ type: 'task.removed', kind, path })
  else context.terminal.line(`Removed ${kind}: ${path} is deleted.`)
  return 0
}
