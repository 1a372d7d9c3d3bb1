/** `triggers preview|month`: what starts workflows by itself, and when. */

import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'

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
}

export const triggersCommand: Command = {
  usage: `triggers ${Object.keys(actions).join('|')} …`,
  forms: Object.entries(actions).map(([name, { usage }]) => `sagasmith triggers ${name} ${usage}`),
  summary: 'Tell when schedules come, and how tight a month of them gets, from the engine’s own calculator.',
  options: {
    cron: { type: 'string' },
    zone: { type: 'string' },
    from: { type: 'string' },
    count: { type: 'string' },
    workers: { type: 'string' },
  },
  optionHelp: [
    ['--cron EXPRESSION', 'preview: five fields, or six beginning with seconds, instead of a file'],
    ['--zone ZONE', 'the time zone of --cron, or of the month, such as Europe/Lisbon (default: UTC)'],
    ['--from INSTANT', 'preview: slots from here on: a date, a time of the zone, or 2026-03-01T09:00Z'],
    ['--count N', 'preview: how many slots of each schedule (default: 10)'],
    ['--workers N', 'month: how many runs can go on at once (default: what this engine can do)'],
  ],
  positionals: { min: 1, max: 2 },
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
