/** `runs pause|resume|cancel|retry|rerun` without an id: for all runs that the filters fit, told before it is done. */

import { randomUUID } from 'node:crypto'
import type { RunId } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { BulkAction, BulkOutcome, BulkPage, BulkRequest } from '../../protocol/run-control.ts'
import type { Session } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { runFilterFlags, runFilterOf } from './run-filter-flags.ts'
import { statusPaint } from './runs-list.ts'
import { tellMissing } from './tell-missing.ts'
import { withSession } from './with-session.ts'

/** Whether the call names runs by filters instead of one by its id. */
export const isBulk = (context: CommandContext, args: readonly string[]): boolean =>
  args.length === 0 && runFilterFlags.some((name) => typeof context.flags[name] === 'string')

/** Shows what is meant; with `--yes` it is done. */
export function bulkAction(context: CommandContext, action: BulkAction): Promise<ExitCode> {
  const { reason, newest, step, from, file, input } = context.flags
  if ([step, from, file, input, context.flags['other-version']].some((flag) => flag !== undefined)) {
    throw usageError(
      '--step, --from, --file, --input and --other-version belong to one run.',
      `Name the run: sagasmith runs ${action} ID.`,
    )
  }
  const isDone = context.flags['yes'] === true
  const request: BulkRequest = {
    action,
    filter: runFilterOf(context),
    dryRun: !isDone,
    version: newest === true ? 'newest' : 'same',
    requestId: randomUUID(),
    by: null,
    reason: typeof reason === 'string' ? reason : null,
    after: null,
    limit: pageSizeMax,
  }
  return withSession(context, 'look', (session) => forAll(context, session, request))
}

async function forAll(context: CommandContext, session: Session, request: BulkRequest): Promise<ExitCode> {
  let matched = 0
  let refused = 0
  let after: RunId | null = null
  do {
    const page: BulkPage = await session.call('runs.bulk', { ...request, after })
    for (const outcome of page.outcomes) tell(context, request, outcome)
    matched += page.counts.matched
    refused += page.counts.refused
    after = page.next
  } while (after !== null)
  const { action, dryRun } = request
  if (context.json) context.emit({ type: 'runs.bulk', action, dryRun, matched, refused })
  else sum(context, { request, matched, refused })
  await tellMissing(context, session)
  return refused === 0 ? 0 : 1
}

function tell(context: CommandContext, { action, dryRun }: BulkRequest, outcome: BulkOutcome): void {
  const { runId, workflowId: workflow, status, startedRunId, error } = outcome
  if (context.json) {
    context.emit({ type: `run.${action}`, dryRun, ...outcome })
    return
  }
  const { terminal } = context
  const done = startedRunId === null ? workflow : `${workflow}: ${startedRunId}`
  const said = error === null ? done : `${workflow}: ${error.message}`
  terminal.line(`${statusPaint(terminal, status)(status)}  ${runId}  ${terminal.colors.dim(said)}`)
}

function sum(
  { terminal }: CommandContext,
  done: { readonly request: BulkRequest; readonly matched: number; readonly refused: number },
): void {
  const { request, matched, refused } = done
  const { action, dryRun } = request
  if (matched === 0) terminal.line(nothingText(request))
  else if (dryRun)
    terminal.line(
      `${matched} ${matched === 1 ? 'run fits' : 'runs fit'}. Nothing was done: add --yes to ${action} them.`,
    )
  else terminal.line(`${action}: ${matched - refused} done, ${refused} refused.`)
}

/** A workflow is asked for by an id that people seldom know. */
const nothingText = ({ filter }: BulkRequest): string =>
  filter.workflowId === null
    ? 'No run fits.'
    : `No run fits. --workflow takes the "id" of the workflow’s file, not its title or path.`
