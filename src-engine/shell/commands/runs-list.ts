/** `runs list`: a page of runs, newest first. */

import { runId } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { runTookMs, sinceMade } from '../../model/run-time.ts'
import type { OutputOf, RunSummary } from '../../protocol/api.ts'
import type { Terminal } from '../terminal.ts'
import { instantText, spanText, tableText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { runFilterFlags, runFilterOf } from './run-filter-flags.ts'
import { tellMissing } from './tell-missing.ts'
import { withSession } from './with-session.ts'

const defaultLimit = 20

/** Prints the page. */
export async function listAction(context: CommandContext): Promise<ExitCode> {
  const after = context.flags['after']
  const query = {
    ...runFilterOf(context),
    includeCore: context.flags['core'] === true,
    after: typeof after === 'string' ? runId(after) : null,
    limit: limitOf(context.flags['limit']),
  }
  const isHere = context.flags['cluster'] === undefined
  return withSession(context, 'look', async (session): Promise<ExitCode> => {
    const page = await session.call('runs.list', query)
    const pulled = isHere && !context.json ? (await session.call('teleport.list', {})).runs.length : 0
    if (context.json) for (const { run, counts } of page.runs) context.emit({ type: 'run', ...run, counts })
    else {
      printPage(context, page)
      if (pulled > 0) context.terminal.line(context.terminal.colors.dim(pulledText(pulled)))
    }
    await tellMissing(context, session)
    return 0
  })
}

const pulledText = (count: number): string =>
  `${count === 1 ? 'One run was' : `${count} runs were`} pulled from clusters: sagasmith teleport list`

function printPage({ terminal, flags }: CommandContext, page: OutputOf<'runs.list'>): void {
  const { dim } = terminal.colors
  if (page.runs.length === 0) {
    const isFiltered = runFilterFlags.some((name) => typeof flags[name] === 'string')
    terminal.line(dim(isFiltered ? 'No run fits.' : 'No runs. Start one with `sagasmith run FILE`.'))
    // So many were looked at, and none of them fits.
    if (page.next !== null) terminal.line(dim(`Older runs: sagasmith runs list --after ${page.next}`))
    return
  }
  const lines = tableText([
    ['RUN', 'STATUS', 'STARTED', 'TOOK', 'STEPS', 'WORKFLOW'],
    ...page.runs.map(rowOf),
  ])
  for (const [index, line] of lines.entries()) {
    terminal.line(index === 0 ? dim(line) : painted(terminal, line, page.runs[index - 1]))
  }
  if (page.next !== null) terminal.line(dim(`More: sagasmith runs list --after ${page.next}`))
}

function rowOf({ run, counts }: RunSummary): readonly string[] {
  const tookMs = runTookMs(sinceMade(run))
  const took = tookMs === null ? '' : spanText(tookMs)
  const failed = counts.failed > 0 ? ` (${counts.failed} failed)` : ''
  const steps = `${counts.done}/${counts.total}${failed}`
  return [run.id, run.status, instantText(run.createdAt), took, steps, titleOf(run)]
}

/** Whose run it is, where another one started it. */
const titleOf = ({ workflowTitle, parentRunId }: RunSummary['run']): string =>
  parentRunId === null ? workflowTitle : `${workflowTitle} (of ${parentRunId})`

function painted(terminal: Terminal, line: string, row: RunSummary | undefined): string {
  if (row === undefined) return line
  return line.replace(row.run.status, statusPaint(terminal, row.run.status)(row.run.status))
}

/** The colour of a run's status. */
export function statusPaint(terminal: Terminal, status: RunStatus): (text: string) => string {
  const { green, red, yellow, blue } = terminal.colors
  if (status === 'SUCCEEDED') return green
  if (status === 'CREATED' || status === 'RUNNING') return blue
  return status === 'WAITING' || status === 'PAUSED' || status === 'COMPENSATING' ? yellow : red
}

function limitOf(flag: string | boolean | undefined): number {
  const limit = typeof flag === 'string' ? Number(flag) : defaultLimit
  if (Number.isInteger(limit) && limit >= 1 && limit <= pageSizeMax) return limit
  throw usageError(`“${String(flag)}” is no page size.`, `Use a number from 1 to ${pageSizeMax}.`)
}
