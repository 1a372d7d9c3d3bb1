/** `runs list|show|pause|resume|cancel|skip|retry|wait|resolve`: what has run, what runs, and what to do about it. */

import type { BulkAction } from '../../protocol/run-control.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { bulkAction, isBulk } from './runs-bulk.ts'

type Action = (context: CommandContext, args: readonly string[]) => Promise<ExitCode>

const actions: Readonly<
  Record<
    string,
    {
      readonly load: () => Promise<Action>
      readonly args: number
      readonly more?: number
      readonly bulk?: BulkAction
    }
  >
> = {
  list: { load: async () => (await import('./runs-list.ts')).listAction, args: 0 },
  show: { load: async () => (await import('./runs-show.ts')).showAction, args: 1 },
  cancel: { load: async () => (await import('./runs-steer.ts')).cancelAction, args: 1, bulk: 'cancel' },
  pause: { load: async () => (await import('./runs-steer.ts')).pauseAction, args: 1, bulk: 'pause' },
  resume: { load: async () => (await import('./runs-steer.ts')).resumeAction, args: 1, bulk: 'resume' },
  skip: { load: async () => (await import('./runs-steer.ts')).skipAction, args: 2 },
  why: { load: async () => (await import('./runs-why.ts')).whyAction, args: 1, more: 1 },
  retry: { load: async () => (await import('./runs-retry.ts')).retryAction, args: 1, bulk: 'retry' },
  rerun: { load: async () => (await import('./runs-rerun.ts')).rerunAction, args: 1 },
  wait: { load: async () => (await import('./runs-control.ts')).waitAction, args: 1 },
  resolve: { load: async () => (await import('./runs-control.ts')).resolveAction, args: 2 },
}

export const runsCommand: Command = {
  usage:
    'runs list | show ID | pause|resume|cancel ID [--step STEP] | pause|resume|cancel|retry --workflow ID --status A,B --since WHEN [--yes] | skip ID STEP | retry ID [--from STEP [--input JSON]] [--newest|--file FILE] | rerun ID [--input JSON] [--file FILE --other-version] | why ID [STEP] | wait ID | resolve ID STEP --as again|done|fail',
  summary:
    'List, show, pause, resume, cancel, retry or wait for runs; skip steps; decide steps that wait for a person.',
  options: {
    status: { type: 'string' },
    workflow: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    yes: { type: 'boolean' },
    limit: { type: 'string' },
    after: { type: 'string' },
    core: { type: 'boolean' },
    as: { type: 'string' },
    output: { type: 'string' },
    step: { type: 'string' },
    reason: { type: 'string' },
    'no-wait': { type: 'boolean' },
    input: { type: 'string' },
    from: { type: 'string' },
    newest: { type: 'boolean' },
    file: { type: 'string' },
    'other-version': { type: 'boolean' },
  },
  optionHelp: [
    ['--status A,B', 'only runs with one of these statuses'],
    ['--workflow ID', 'pause, resume, cancel, retry: the runs of this workflow'],
    ['--since WHEN', 'those created since a date, or since 90m, 2h, 7d ago; --until WHEN: before it'],
    ['--yes', 'do it; without it such a call only tells which runs it means'],
    ['--limit N', 'how many runs a page has, 1 to 200 (default: 20)'],
    ['--after ID', 'the page after the run that the last page ended with'],
    ['--core', 'the engine’s own runs too'],
    ['--step STEP', 'pause, resume: only this step'],
    ['--reason TEXT', 'pause, resume, cancel, skip, retry, rerun: why; kept with the run'],
    ['--no-wait', 'return once the request is kept, without waiting until it is in effect'],
    ['--from STEP', 'retry: begin with this step too, beside what failed'],
    ['--newest', 'retry: on the newest published version; results are kept where they mean the same'],
    [
      '--input JSON',
      'retry --from: what arrives at the step; rerun: another input than the run had, or @FILE to read it from a file',
    ],
    [
      '--file FILE',
      'retry, rerun: the workflow of this file instead of the version that the run was bound to',
    ],
    ['--other-version', 'rerun --file: also when that is another version'],
    ['--as DECISION', 'resolve: run it again, take it as done, or fail it'],
    ['--output JSON', 'resolve --as done: what the step is taken to have given'],
  ],
  positionals: { min: 1, max: 3 },
  run: async (context) => {
    const [name = '', ...args] = context.positionals
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined) {
      throw usageError(`There is no “runs ${name}”.`, `Usage: sagasmith ${runsCommand.usage}`)
    }
    const bulk = action.bulk ?? null
    if (bulk !== null && isBulk(context, args)) return bulkAction(context, bulk)
    if (args.length < action.args || args.length > action.args + (action.more ?? 0)) {
      throw usageError(
        `“runs ${name}” takes ${action.args} argument(s).`,
        `Usage: sagasmith ${runsCommand.usage}`,
      )
    }
    return (await action.load())(context, args)
  },
}
