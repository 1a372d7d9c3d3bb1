/** `teleport …`: runs of clusters on this machine: pulled, replayed, and resumed where they came from. */

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
  replay: {
    args: 1,
    usage: 'RUN [--with FILE] [--from STEP] [--mocks SET]',
    load: async () => (await import('./teleport-replay.ts')).replayAction,
  },
  resume: {
    args: 1,
    usage: 'RUN [--cluster NAME|ADDRESS] [--with FILE] [--from STEP] [--yes | --preview] [--follow]',
    load: async () => (await import('./teleport-resume.ts')).resumeAction,
  },
  here: {
    args: 1,
    usage: 'RUN [--with FILE] [--from STEP] [--cancel-there] [--yes | --preview] [--follow]',
    load: async () => (await import('./teleport-here.ts')).hereAction,
  },
  save: {
    args: 1,
    usage: 'RUN --out FILE [--cluster NAME|ADDRESS] [--family] [--at EVENT]',
    load: async () => (await import('./teleport-files.ts')).saveRunAction,
  },
  open: { args: 1, usage: 'FILE', load: async () => (await import('./teleport-files.ts')).openRunAction },
  drop: { args: 1, usage: 'RUN', load: async () => (await import('./teleport-list.ts')).dropAction },
}

export const teleportCommand: Command = {
  usage: `teleport ${Object.keys(actions).join('|')} …`,
  forms: Object.entries(actions).map(([word, { usage }]) => `sagasmith teleport ${word} ${usage}`.trimEnd()),
  summary:
    'Pull a run of a cluster here, replay it with effects mocked, have it go on there or here; runs as files.',
  options: {
    family: { type: 'boolean' },
    into: { type: 'string' },
    with: { type: 'string' },
    from: { type: 'string' },
    mocks: { type: 'string' },
    'cancel-there': { type: 'boolean' },
    reason: { type: 'string' },
    yes: { type: 'boolean' },
    preview: { type: 'boolean' },
    follow: { type: 'boolean' },
    out: { type: 'string' },
    at: { type: 'string' },
  },
  optionHelp: [
    [
      '--cluster NAME|ADDRESS',
      'pull, save: where the run is; resume: where it came from, under another name',
    ],
    ['--family', 'pull, save: the runs that its steps started too, and theirs'],
    ['--out FILE', 'save: the file to write'],
    ['--at EVENT', 'save: the event to look at first, by its number in the history'],
    [
      '--into sqlite:FOLDER',
      'where the pulled runs are, instead of the data directory; `--data FOLDER` shows them',
    ],
    [
      '--with FILE',
      'replay, resume, here: the workflow of this file instead of the version the run was bound to',
    ],
    [
      '--from STEP',
      'replay: all before it keeps its result unseen; resume, here: begin with it, beside what failed',
    ],
    ['--mocks SET', 'replay: the mocks of this name, where nodes have several'],
    ['--cancel-there', 'here: cancel the run where it came from first, if it goes on there'],
    ['--reason TEXT', 'resume, here: why; kept with the run'],
    ['--yes', 'resume, here: don’t ask; needed where nobody can answer'],
    ['--preview', 'resume, here: only tell what it would mean'],
    ['--follow', 'resume, here: follow the run to its end'],
    [
      'exit codes',
      'replay: 0 nothing differs, 1 something does; resume: 0 resumed (with --follow: succeeded), 1 not; 2 the file is not valid',
    ],
  ],
  positionals: { min: 1, max: 2 },
  run: async (context) => {
    const { action, args } = actionOf(teleportCommand.usage, actions, context.positionals)
    return (await action.load())(context, args)
  },
}
