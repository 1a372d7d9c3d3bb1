/** `teleport pull|list|drop`: runs of clusters on this machine. */

import type { CommandAction } from './action.ts'
import { actionOf } from './action.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'

interface Action extends CommandAction {
  /** What follows the action's name, for the help. */
  readonly usage: string
  readonly load: () => Promise<(context: CommandContext, args: readonly string[]) => Promise<ExitCode>>
}

const actions: Readonly<Record<string, Action>> = {
  pull: {
    args: 1,
    usage: 'RUN --cluster NAME|ADDRESS [--family] [--into sqlite:FOLDER|workspace]',
    load: async () => (await import('./teleport-pull.ts')).pullAction,
  },
  list: { args: 0, usage: '', load: async () => (await import('./teleport-list.ts')).listPulledAction },
  drop: { args: 1, usage: 'RUN', load: async () => (await import('./teleport-list.ts')).dropAction },
}

export const teleportCommand: Command = {
  usage: `teleport ${Object.keys(actions).join('|')} …`,
  forms: Object.entries(actions).map(([word, { usage }]) => `sagasmith teleport ${word} ${usage}`.trimEnd()),
  summary: 'Pull runs of a cluster here with their whole history.',
  options: {
    family: { type: 'boolean' },
    into: { type: 'string' },
  },
  optionHelp: [
    ['--cluster NAME|ADDRESS', 'the cluster that the run is on'],
    ['--family', 'pull: the runs that its steps started too, and theirs'],
    [
      '--into sqlite:FOLDER',
      'where the pulled runs are, instead of the data directory; `--data FOLDER` shows them',
    ],
  ],
  positionals: { min: 1, max: 2 },
  run: async (context) => {
    const { action, args } = actionOf(teleportCommand.usage, actions, context.positionals)
    return (await action.load())(context, args)
  },
}
