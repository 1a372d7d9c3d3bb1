/** `runs compensate` and `runs undo`: what a run did is undone, and what becomes of a rollback that failed. */

import type { InvocationId, RunId } from '../../model/ids.ts'
import { runId } from '../../model/ids.ts'
import type { SagaAction } from '../../protocol/saga.ts'
import type { Session } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { waitAction } from './runs-control.ts'
import { withSession } from './with-session.ts'

/** Rolls an ended run back, and follows that to its end unless told not to wait. */
export const compensateAction = (context: CommandContext, args: readonly string[]): Promise<ExitCode> =>
  decide(context, { id: runId(args[0] ?? ''), action: 'compensate' })

/** Answers a rollback that failed: for the step of `--step`, else for all that failed. */
export async function undoAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const [id = '', action] = args
  if (action !== 'retry' && action !== 'skip' && action !== 'abandon') {
    throw usageError(
      `There is no “runs undo … ${action ?? ''}”.`,
      'retry: try again what failed. skip: pass over it, and undo the rest. abandon: undo nothing more.',
    )
  }
  if (action === 'abandon' && context.flags['step'] !== undefined) {
    throw usageError('A rollback is abandoned as a whole.', `Leave --step out, or use: runs undo ${id} skip.`)
  }
  return decide(context, { id: runId(id), action })
}

async function decide(
  context: CommandContext,
  { id, action }: { readonly id: RunId; readonly action: SagaAction },
): Promise<ExitCode> {
  const { step, reason } = context.flags
  const answer = await withSession(context, 'look', async (session) =>
    session.call('saga.act', {
      runId: id,
      action,
      of: typeof step === 'string' ? await failedOf(session, id, step) : null,
      by: null,
      reason: typeof reason === 'string' ? reason : null,
    }),
  )
  if (context.json) context.emit({ type: `run.${action}`, runId: id, ...answer })
  else context.terminal.line(`${answer.status}  ${id}`)
  if (context.flags['no-wait'] === true || answer.status === 'ABANDONED') return 0
  const code = await waitAction(context, [id])
  // The run did not succeed, but what was asked for is done.
  return (await statusOf(context, id)) === 'COMPENSATED' ? 0 : code
}

const statusOf = async (context: CommandContext, id: RunId) =>
  (await withSession(context, 'look', (session) => session.call('saga.show', { runId: id }))).status

/** The failed compensation of a step, by the step's node id, its whole id, or its own. */
async function failedOf(session: Session, id: RunId, text: string): Promise<InvocationId> {
  const { entries } = await session.call('saga.show', { runId: id })
  const failed = entries.filter(({ state }) => state === 'failed')
  const found = failed.filter((entry) => [entry.id, entry.of, entry.nodeId].some((name) => name === text))
  const [only] = found
  if (only !== undefined && found.length === 1) return only.of
  const names = failed.map(({ of, nodeId, path }) => (path === '' ? nodeId : of)).join(', ')
  throw usageError(
    only === undefined
      ? `In the run ${id}, nothing that undoes “${text}” has failed.`
      : `“${text}” ran several times in the run ${id}.`,
    names === '' ? 'Nothing of it has failed.' : `These have failed: ${names}.`,
  )
}
