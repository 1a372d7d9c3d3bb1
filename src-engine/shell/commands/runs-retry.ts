/** `runs retry`: an ended run goes on from what failed, or from a step of choice. */

import { nodeId, runId } from '../../model/ids.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { readRunInput } from './run-input.ts'
import { waitAction } from './runs-control.ts'
import { withSession } from './with-session.ts'
import { openWorkflowFile } from './workflow-file.ts'

/** Has the run go on, and follows it to its end unless told not to wait. */
export async function retryAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const { input, file, from, newest, reason } = context.flags
  if (typeof input === 'string' && typeof from !== 'string') {
    throw usageError(
      'Another input needs the step that is to get it.',
      'Name the step with --from, or give the whole run another input with `sagasmith runs rerun`.',
    )
  }
  const document = typeof file === 'string' ? (await openWorkflowFile(context, file)).json : null
  const given = typeof input === 'string' ? { value: await readRunInput(input) } : null
  const answer = await withSession(context, 'look', (session) =>
    session.call('runs.retry', {
      runId: runId(args[0] ?? ''),
      nodeId: typeof from === 'string' ? nodeId(from) : null,
      input: given,
      version: newest === true || document !== null ? 'newest' : 'same',
      document,
      by: null,
      reason: typeof reason === 'string' ? reason : null,
    }),
  )
  if (context.json) context.emit({ type: 'run.retry', ...answer })
  else context.terminal.line(`Goes on as generation ${answer.generation}: ${answer.again.join(', ')}.`)
  return context.flags['no-wait'] === true ? 0 : waitAction(context, [answer.runId])
}
