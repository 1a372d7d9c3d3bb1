/** `runs step|break|fork`: what somebody does who looks for a mistake in a run. */

import { nodeId, runId } from '../../model/ids.ts'
import { breakpointsOf } from './breakpoint-flags.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { readRunInput } from './run-input.ts'
import { waitAction } from './runs-control.ts'
import { withSession } from './with-session.ts'
import { openWorkflowFile } from './workflow-file.ts'

/** Has the run stop elsewhere from now on: before the steps that are named, or nowhere. */
export async function breakAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const [id = '', ...steps] = args
  const breakpoints = breakpointsOf(steps.join('\n'), null)
  if ((breakpoints.length === 0) !== (context.flags['none'] === true)) {
    throw usageError('Name the steps to stop before, or say --none.', 'Usage: sagasmith runs break ID STEP …')
  }
  const answer = await withSession(context, 'look', (session) =>
    session.call('runs.breakpoints', { runId: runId(id), breakpoints, by: null }),
  )
  if (context.json) context.emit({ type: 'run.breakpoints', runId: id, ...answer })
  else context.terminal.line(toldOf(breakpoints.map(({ nodeId: at }) => at)))
  return 0
}

const toldOf = (steps: readonly string[]): string =>
  steps.length === 0 ? 'It stops nowhere.' : `It stops before ${steps.join(', ')}.`

/** Makes a run that goes on from an instant of another one, and follows it to its end unless told not to wait. */
export async function forkAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const { at, from, input, file, until, only, reason } = context.flags
  const seq = typeof at === 'string' ? Number(at) : null
  if (seq !== null && (!Number.isSafeInteger(seq) || seq < 0))
    throw usageError(
      `“${String(at)}” is no place in a history.`,
      'Give the number of an event, as `runs show` lists them.',
    )
  if (only === true && typeof until !== 'string')
    throw usageError('--only needs the step that is to begin alone.', 'Name it with --until.')
  const root = typeof from === 'string' ? from : only === true ? until : null
  if (typeof input === 'string' && typeof root !== 'string')
    throw usageError('Another input needs the step that is to get it.', 'Name the step with --from.')
  const opened = typeof file === 'string' ? await openWorkflowFile(context, file) : null
  const stops = context.flags['break']
  const given = typeof input === 'string' ? { value: await readRunInput(input) } : null
  const answer = await withSession(context, 'look', (session) =>
    session.call('runs.fork', {
      runId: runId(args[0] ?? ''),
      seq,
      nodeId: typeof root === 'string' ? nodeId(root) : null,
      input: given,
      document: opened?.json ?? null,
      until: typeof until === 'string' ? nodeId(until) : null,
      only: only === true,
      breakpoints: typeof stops === 'string' ? breakpointsOf(stops, opened?.document ?? null) : [],
      by: null,
      reason: typeof reason === 'string' ? reason : null,
    }),
  )
  if (context.json) context.emit({ type: 'run.fork', ...answer })
  else {
    const kept = answer.taken.length === 0 ? 'nothing' : answer.taken.join(', ')
    context.terminal.line(
      `Started ${answer.runId}: it begins with ${answer.again.join(', ')}, and keeps ${kept}.`,
    )
    if (answer.staysThere.length > 0)
      context.terminal.line(`Only ${answer.of} can undo ${answer.staysThere.join(', ')}.`)
  }
  return context.flags['no-wait'] === true ? 0 : waitAction(context, [answer.runId])
}
