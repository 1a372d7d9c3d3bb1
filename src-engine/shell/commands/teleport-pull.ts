/** `teleport pull`: a run of a cluster comes here. */

import { runId } from '../../model/ids.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { PullAnswer, PullProgress } from '../../protocol/teleport.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { Session } from '../session.ts'
import { instantText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { withTeleport } from './teleport-session.ts'

/** How often somebody who looks on is told how far it is. */
const lookMs = 250

/** Pulls it, or what is new of it. */
export function pullAction(context: CommandContext, [text = '']: readonly string[]): Promise<ExitCode> {
  const { cluster, family } = context.flags
  if (typeof cluster !== 'string') {
    throw usageError('A pull needs the cluster that the run is on.', 'Add --cluster NAME|ADDRESS.')
  }
  const id = runId(text)
  return withTeleport(context, async (session) => {
    const stop = showProgress(context, session, id)
    try {
      const answer = await session.call('teleport.pull', { cluster, runId: id, family: family === true })
      stop()
      tell(context, answer)
      return 0
    } finally {
      stop()
    }
  })
}

function showProgress(
  { terminal, json }: CommandContext,
  session: Session,
  id: PulledRun['runId'],
): () => void {
  if (json || !terminal.isTerminal) return () => undefined
  let stopped = false
  let cancel = (): void => undefined
  const look = (): void => {
    session.call('teleport.progress', { runId: id }).then(
      ({ progress }) => {
        if (stopped) return
        if (progress !== null) terminal.live([terminal.colors.dim(progressText(progress))])
        cancel = systemClock.after(lookMs, look)
      },
      // The pull itself tells what is wrong.
      () => undefined,
    )
  }
  look()
  return () => {
    if (stopped) return
    stopped = true
    cancel()
    terminal.live([])
  }
}

function progressText({ phase, runId: id, runs, events, payloads, bytes }: PullProgress): string {
  const before = runs === 0 ? '' : `${runs} runs are here; `
  if (phase === 'events') return `${before}${id}: ${events} events …`
  return `${before}${id}: ${events} events, ${payloads} payloads, ${megabytes(bytes)} MB …`
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

function tell(context: CommandContext, { runs, gone }: PullAnswer): void {
  const { json, emit, terminal } = context
  if (json) {
    for (const one of runs) emit({ type: 'run.pulled', ...one })
    for (const id of gone) emit({ type: 'run.gone', runId: id })
    return
  }
  const { bold, dim, yellow } = terminal.colors
  for (const { run, newEvents, rolledBack } of runs) {
    const news = newEvents === run.events ? `${newEvents} events` : `${newEvents} new events of ${run.events}`
    terminal.line(`${bold(run.runId)}  ${run.workflowTitle}, ${run.status}: ${news}`)
    for (const line of remarks(run, rolledBack)) terminal.line(`${yellow('!')} ${line}`)
  }
  if (gone.length > 0) terminal.line(dim(`No more there: ${gone.join(', ')}.`))
  const [first] = runs
  if (first === undefined) return
  const { cluster, pulledAt } = first.run.origin
  terminal.line(dim(`As it was on ${cluster} at ${instantText(pulledAt)}; it is only read here.`))
}

function remarks({ isSnapshot, payloads }: PulledRun, rolledBack: boolean): readonly string[] {
  const lines: string[] = []
  if (isSnapshot) lines.push('It goes on there: this is a snapshot. Pull it again to bring what is new.')
  if (rolledBack) lines.push('A failover took back some of what was pulled before: the copy was made anew.')
  if (payloads.leftOut > 0)
    lines.push(`${payloads.leftOut} payloads were too much to come along, or are gone there.`)
  return lines
}
