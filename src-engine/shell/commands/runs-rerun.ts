/** `runs rerun`: the same again, with another input or on a newer version where that is asked for. */

import { runId } from '../../model/ids.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { readRunInput } from './run-input.ts'
import { waitAction } from './runs-control.ts'
import { withSession } from './with-session.ts'
import { openWorkflowFile } from './workflow-file.ts'

/** Starts the run again, and follows the new one to its end unless told not to wait. */
export async function rerunAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const { input, file, reason, newest } = context.flags
  if (newest === true) {
    throw usageError(
      '--newest is for many runs, which filters name.',
      'Give one run its version: sagasmith runs rerun ID --file FILE --other-version.',
    )
  }
  const document = typeof file === 'string' ? (await openWorkflowFile(context, file)).json : null
  const given = typeof input === 'string' ? { value: await readRunInput(input) } : null
  const started = await withSession(context, 'look', (session) =>
    session.call('runs.rerun', {
      runId: runId(args[0] ?? ''),
      document,
      otherVersion: context.flags['other-version'] === true,
      input: given,
      requestId: null,
      by: null,
      reason: typeof reason === 'string' ? reason : null,
    }),
  )
  if (context.json) context.emit({ type: 'run.rerun', of: args[0], ...started })
  else context.terminal.line(`Started ${started.runId}.`)
  return context.flags['no-wait'] === true ? 0 : waitAction(context, [started.runId])
}
