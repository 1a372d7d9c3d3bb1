/** `runs crash ID`: kills the worker of a run on purpose, and tells what became of its steps. */

import { runId } from '../../model/ids.ts'
import type {
  CrashAnswer,
  CrashedEffect,
  CrashedStep,
  CrashMoment,
  CrashReport,
} from '../../protocol/crash.ts'
import { crashMoments } from '../../protocol/crash.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { withSession } from './with-session.ts'

/** With `--report` only tells of the newest crash; without `--yes` only what it would do. */
export function crashAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const id = runId(args[0] ?? '')
  const { report: wantsReport, yes } = context.flags
  const moment = momentOf(context.flags['at-moment'])
  return withSession(context, 'look', async (session) => {
    if (wantsReport === true) {
      const { report } = await session.call('runs.crashReport', { runId: id })
      if (context.json) context.emit({ type: 'run.crashReport', runId: id, report: report as never })
      else for (const line of reportLines(report)) context.terminal.line(line)
      return 0
    }
    if (yes !== true) {
      context.terminal.line(
        `This kills the process that works on ${id}: ${words[moment]}. Say --yes to do it.`,
      )
      return 0
    }
    const answer = await session.call('runs.crash', { runId: id, moment, by: null })
    if (context.json) context.emit({ type: 'run.crash', ...answer })
    else context.terminal.line(answerText(answer))
    return 0
  })
}

function momentOf(given: string | boolean | readonly string[] | undefined): CrashMoment {
  const moment = crashMoments.find((one) => one === (given ?? 'now'))
  if (moment !== undefined) return moment
  throw usageError(`“${String(given)}” is no moment to crash at.`, `Name one of ${crashMoments.join(', ')}.`)
}

const words: Readonly<Record<CrashMoment, string>> = {
  now: 'where it is, or as its next step begins',
  'before-commit': 'once its next step has ended, before that is committed',
  'after-effect': 'as soon as its next step has done what it does',
}

const answerText = ({ runId: id, runnerId, pid, isDead }: CrashAnswer): string =>
  `${runnerId} (process ${pid}) ${isDead ? 'is dead' : 'dies once its step has come so far'}. See what becomes of it: sagasmith runs crash ${id} --report`

const effects: Readonly<Record<CrashedEffect, string>> = {
  none: 'no effect could double',
  idempotent: 'its effect may have happened twice, which is as good as once',
  keyed: 'its effect may have been asked for twice, with the same key',
  doubled: 'ITS EFFECT MAY HAVE HAPPENED TWICE',
  asked: 'its effect may have happened once: a person decides',
}

function reportLines(report: CrashReport | null): readonly string[] {
  if (report === null) return ['Nobody had a worker of this run crash.']
  const { runnerId, moment, state, steps, keptCount, takeoverMs, recoveryMs } = report
  if (runnerId === null) {
    return [
      state === 'armed'
        ? `Its worker dies ${words[moment]}.`
        : 'Its worker ended without having come to that moment.',
    ]
  }
  return [
    `${runnerId} died ${words[moment]}.`,
    ...steps.map(stepLine),
    ...(steps.length === 0 ? ['Nothing has been taken from it yet.'] : []),
    `${keptCount} ended steps were left as they are.`,
    ...(takeoverMs === null ? [] : [`Taken over after ${takeoverMs} ms.`]),
    ...(recoveryMs === null ? [] : [`All of it settled after ${recoveryMs} ms.`]),
  ]
}

const stepLine = ({ nodeId, path, sideEffect, effect, fenced, takenBy, state }: CrashedStep): string =>
  `  ${nodeId}${path === '' ? '' : ` (${path})`}: ${sideEffect}, ${state}${takenBy === null ? '' : ` by ${takenBy}`}; ${effects[effect]}; fence ${fenced.epoch}.${fenced.counter} is refused`
