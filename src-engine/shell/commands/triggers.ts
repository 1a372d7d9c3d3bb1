/** `triggers`: what starts workflows by itself, when, and why it did or didn't. */

import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import type { deskActions } from './triggers-desk.ts'

interface Action {
  readonly load: () => Promise<(context: CommandContext, args: readonly string[]) => Promise<ExitCode>>
  /** What follows the action's name, for the help. */
  readonly usage: string
  /** How many arguments it takes. */
  readonly args: readonly [number, number]
  readonly flags: readonly string[]
}

const actions: Readonly<Record<string, Action>> = {
  preview: {
    load: async () => (await import('./triggers-preview.ts')).previewAction,
    usage: 'FILE | preview --cron EXPRESSION [--zone ZONE] [--from INSTANT] [--count N]',
    args: [0, 1],
    flags: ['cron', 'zone', 'from', 'count'],
  },
  month: {
    load: async () => (await import('./triggers-month.ts')).monthAction,
    usage: '[YYYY-MM] [--zone ZONE] [--workers N]',
    args: [0, 1],
    flags: ['zone', 'workers'],
  },
  list: desk('list', '[WORKFLOW]', [0, 1]),
  show: desk('show', 'WORKFLOW TRIGGER', [2, 2]),
  firings: desk('firings', '[WORKFLOW [TRIGGER]]', [0, 2]),
  why: desk('why', 'RUN', [1, 1]),
  fire: { ...desk('fire', 'WORKFLOW TRIGGER [--input JSON]', [2, 2]), flags: ['input'] },
  enable: desk('enable', 'WORKFLOW TRIGGER', [2, 2]),
  disable: desk('disable', 'WORKFLOW TRIGGER', [2, 2]),
  reset: desk('reset', 'WORKFLOW TRIGGER', [2, 2]),
  clear: desk('clear', 'WORKFLOW TRIGGER', [2, 2]),
}

/** One that asks the engine about published triggers. */
function desk(name: keyof typeof deskActions, usage: string, args: Action['args']): Action {
  return { load: async () => (await import('./triggers-desk.ts')).deskActions[name], usage, args, flags: [] }
}

export const triggersCommand: Command = {
  usage: `triggers ${Object.keys(actions).join('|')} …`,
  forms: Object.entries(actions).map(([name, { usage }]) => `sagasmith triggers ${name} ${usage}`),
  summary: 'List and switch what starts workflows by itself; tell when it will, and why it did or didn’t.',
  options: {
    cron: { type: 'string' },
    zone: { type: 'string' },
    from: { type: 'string' },
    count: { type: 'string' },
    workers: { type: 'string' },
    input: { type: 'string' },
  },
  optionHelp: [
    ['--cron EXPRESSION', 'preview: five fields, or six beginning with seconds, instead of a file'],
    ['--zone ZONE', 'the time zone of --cron, or of the month, such as Europe/Lisbon (default: UTC)'],
    ['--from INSTANT', 'preview: slots from here on: a date, a time of the zone, or 2026-03-01T09:00Z'],
    ['--count N', 'preview: how many slots of each schedule (default: 10)'],
    ['--workers N', 'month: how many runs can go on at once (default: what this engine can do)'],
    ['why RUN', 'which trigger started a run, and what led to it'],
    ['fire', 'start its run now; none of its own occurrences is used up'],
    ['--input JSON', 'fire: what the run gets; @file reads it from a file'],
    ['enable, disable', 'on or off whatever the document says; reset leaves it to the document again'],
    ['clear', 'drop the events that it has gathered and not yet started anything with'],
  ],
  positionals: { min: 1, max: 3 },
  run: async (context) => {
    const [name = '', ...args] = context.positionals
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined || args.length < action.args[0] || args.length > action.args[1]) {
      throw usageError(`That is no use of “triggers ${name}”.`, `Usage: sagasmith ${triggersCommand.usage}`)
    }
    const other = Object.keys(triggersCommand.options).find(
      (flag) => context.flags[flag] !== undefined && !action.flags.includes(flag),
    )
    if (other !== undefined) {
      const usage = `Usage: sagasmith triggers ${name} ${action.usage}`
      throw usageError(`“triggers ${name}” has no --${other}.`, usage)
    }
    return (await action.load())(context, args)
  },
}
