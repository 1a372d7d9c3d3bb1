/** `runs list|show|compare|trace|pause|resume|step|break|fork|…`: what has run, what runs, and what to do about it. */

import type { BulkAction } from '../../protocol/run-control.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { runFilterFlags, runFilterUsage } from './run-filter-flags.ts'
import { bulkAction, isBulk } from './runs-bulk.ts'

type Run = (context: CommandContext, args: readonly string[]) => Promise<ExitCode>

interface Action {
  readonly load: () => Promise<Run>
  /** What follows the action's name, for the help. */
  readonly usage: string
  readonly args: number
  /** How many arguments may follow those. */
  readonly more?: number
  readonly flags: readonly string[]
  readonly bulk?: BulkAction
}

/** What all of `pause|resume|cancel|retry|rerun` take where they mean many runs. */
const bulkFlags = [...runFilterFlags, 'yes']
const bulkUsage = `${runFilterUsage} [--yes]`

const actions: Readonly<Record<string, Action>> = {
  list: {
    load: async () => (await import('./runs-list.ts')).listAction,
    usage: `[${runFilterUsage}] [--limit N] [--after ID] [--core]`,
    args: 0,
    flags: [...runFilterFlags, 'limit', 'after', 'core'],
  },
  show: { load: async () => (await import('./runs-show.ts')).showAction, usage: 'ID', args: 1, flags: [] },
  compare: {
    load: async () => (await import('./runs-compare.ts')).compareAction,
    usage: 'ID OTHER',
    args: 2,
    flags: [],
  },
  trace: {
    load: async () => (await import('./runs-trace.ts')).traceAction,
    usage: 'ID STEP[@TURN] PLACE',
    args: 3,
    flags: [],
  },
  why: {
    load: async () => (await import('./runs-why.ts')).whyAction,
    usage: 'ID [STEP]',
    args: 1,
    more: 1,
    flags: [],
  },
  wait: { load: async () => (await import('./runs-control.ts')).waitAction, usage: 'ID', args: 1, flags: [] },
  pause: steering('pause', async () => (await import('./runs-steer.ts')).pauseAction),
  resume: steering('resume', async () => (await import('./runs-steer.ts')).resumeAction),
  cancel: steering('cancel', async () => (await import('./runs-steer.ts')).cancelAction),
  skip: {
    load: async () => (await import('./runs-steer.ts')).skipAction,
    usage: 'ID STEP [--reason TEXT] [--no-wait]',
    args: 2,
    flags: ['reason', 'no-wait'],
  },
  retry: {
    load: async () => (await import('./runs-retry.ts')).retryAction,
    usage: `ID [--from STEP [--input JSON]] [--newest|--file FILE] | retry ${bulkUsage}`,
    args: 1,
    flags: [...bulkFlags, 'from', 'input', 'newest', 'file', 'reason', 'no-wait'],
    bulk: 'retry',
  },
  step: {
    load: async () => (await import('./runs-steer.ts')).stepAction,
    usage: 'ID [STEP] [--no-wait]',
    args: 1,
    more: 1,
    flags: ['reason', 'no-wait'],
  },
  break: {
    load: async () => (await import('./runs-debug.ts')).breakAction,
    usage: 'ID STEP[=CONDITION] … | break ID --none',
    args: 1,
    more: 100,
    flags: ['none'],
  },
  crash: {
    load: async () => (await import('./runs-crash.ts')).crashAction,
    usage: 'ID [--at-moment now|before-commit|after-effect] [--yes] | crash ID --report',
    args: 1,
    flags: ['at-moment', 'yes', 'report'],
  },
  fork: {
    load: async () => (await import('./runs-debug.ts')).forkAction,
    usage:
      'ID [--at EVENT] [--from STEP [--input JSON]] [--file FILE] [--until STEP [--only]] [--break STEP]',
    args: 1,
    flags: ['at', 'from', 'input', 'file', 'until', 'only', 'break', 'reason', 'no-wait'],
  },
  rerun: {
    load: async () => (await import('./runs-rerun.ts')).rerunAction,
    usage: `ID [--input JSON] [--file FILE --other-version] | rerun ${bulkUsage} [--newest]`,
    args: 1,
    flags: [...bulkFlags, 'newest', 'input', 'file', 'other-version', 'reason', 'no-wait'],
    bulk: 'rerun',
  },
  resolve: {
    load: async () => (await import('./runs-control.ts')).resolveAction,
    usage: 'ID STEP --as again|done|fail [--output JSON]',
    args: 2,
    flags: ['as', 'output'],
  },
  compensate: {
    load: async () => (await import('./runs-undo.ts')).compensateAction,
    usage: 'ID [--reason TEXT] [--no-wait]',
    args: 1,
    flags: ['reason', 'no-wait'],
  },
  undo: {
    load: async () => (await import('./runs-undo.ts')).undoAction,
    usage: 'ID retry|skip|abandon [--step STEP] [--reason TEXT] [--no-wait]',
    args: 2,
    flags: ['step', 'reason', 'no-wait'],
  },
}

function steering(name: BulkAction, load: Action['load']): Action {
  return {
    load,
    usage: `ID [--step STEP] | ${name} ${bulkUsage}`,
    args: 1,
    flags: [...bulkFlags, 'step', 'reason', 'no-wait'],
    bulk: name,
  }
}

const usageOf = (name: string, { usage }: Action): string => `sagasmith runs ${name} ${usage}`

export const runsCommand: Command = {
  usage: `runs ${Object.keys(actions).join('|')} …`,
  forms: Object.entries(actions).map(([name, action]) => usageOf(name, action)),
  summary:
    'List, show, compare, pause, resume, cancel, retry, roll back or wait for runs; skip steps; decide what waits for a person.',
  options: {
    status: { type: 'string' },
    workflow: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    origin: { type: 'string' },
    tenant: { type: 'string' },
    error: { type: 'string' },
    'failed-at': { type: 'string' },
    'waits-for': { type: 'string' },
    text: { type: 'string' },
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
    at: { type: 'string' },
    'at-moment': { type: 'string' },
    report: { type: 'boolean' },
    only: { type: 'boolean' },
    none: { type: 'boolean' },
    break: { type: 'string', multiple: true },
  },
  optionHelp: [
    ['--status A,B', 'only runs with one of these statuses'],
    ['--workflow ID', 'list, pause, resume, cancel, retry, rerun: the runs of this workflow'],
    ['--since WHEN', 'those created since a date, or since 90m, 2h, 7d ago; --until WHEN: before it'],
    ['--origin HOW', 'those that began so: manual, trigger, step (of another run), rerun, retry, fork'],
    ['--tenant NAME', 'those that are for this tenant'],
    ['--error CODE', 'those whose failure has this code'],
    ['--failed-at STEP', 'those in which this step failed'],
    ['--waits-for REASON', 'those that wait for this: approval, signal, backoff, rate_limit, no_workers …'],
    ['--text WORDS', 'part of title, tag or trigger, or the beginning of a run’s or version’s id'],
    ['--yes', 'do it; without it such a call only tells which runs it means'],
    ['--limit N', 'how many runs a page has, 1 to 200 (default: 20)'],
    ['--after ID', 'the page after the run that the last page ended with'],
    ['--core', 'the engine’s own runs too'],
    ['--step STEP', 'pause, resume, cancel: only this step; undo: only what undoes this one'],
    ['--reason TEXT', 'pause, resume, cancel, skip, retry, rerun, compensate, undo: why; kept with the run'],
    ['--no-wait', 'return once the request is kept, without waiting until it is in effect'],
    ['--from STEP', 'retry: begin with this step too, beside what failed'],
    [
      '--newest',
      'retry, rerun of many: on the newest published version; a retry keeps results that mean the same there',
    ],
    [
      '--input JSON',
      'retry --from: what arrives at the step; rerun: another input than the run had, or @FILE to read it from a file',
    ],
    [
      '--file FILE',
      'retry, rerun: the workflow of this file instead of the version that the run was bound to',
    ],
    ['--other-version', 'rerun --file: also when that is another version'],
    [
      '--at EVENT',
      'fork: the state after this event of its history, by number; without it where the run stands now',
    ],
    [
      '--until STEP',
      'fork: only the part of the workflow that leads to this step; --only: nothing but the step',
    ],
    [
      '--break STEP',
      'fork: stop before this step, or STEP=CONDITION (a JSONata expression); as often as you like',
    ],
    ['--at-moment MOMENT', 'crash: when its worker dies (default: now)'],
    ['--report', 'crash: what became of the newest one, and which effects it may have doubled'],
    ['--none', 'break: stop nowhere any more'],
    ['--as DECISION', 'resolve: run it again, take it as done, or fail it'],
    ['--output JSON', 'resolve --as done: what the step is taken to have given'],
  ],
  positionals: { min: 1, max: 102 },
  run: async (context) => {
    const [name = '', ...args] = context.positionals
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined) {
      throw usageError(`There is no “runs ${name}”.`, `Use one of: ${Object.keys(actions).join(', ')}.`)
    }
    const usage = `Usage: ${usageOf(name, action)}`
    // A flag that is silently left out of account would mean other runs than the caller does.
    const stray = Object.keys(runsCommand.options).find(
      (flag) => context.flags[flag] !== undefined && !action.flags.includes(flag),
    )
    if (stray !== undefined) throw usageError(`“runs ${name}” takes no --${stray}.`, usage)
    const bulk = action.bulk ?? null
    if (bulk !== null && isBulk(context, args)) return bulkAction(context, bulk)
    if (args.length < action.args || args.length > action.args + (action.more ?? 0)) {
      throw usageError(`“runs ${name}” takes ${countText(action)}.`, usage)
    }
    return (await action.load())(context, args)
  },
}

function countText({ args, more = 0 }: Action): string {
  const most = args + more
  return `${more === 0 ? '' : `${args} or `}${most} ${most === 1 ? 'argument' : 'arguments'}`
}
