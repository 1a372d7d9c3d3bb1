/** `teleport resume`: a pulled run goes on where it came from, after a look at what that means there. */

import { nodeId, runId } from '../../model/ids.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { ResumeAnswer, ResumePreview, ResumeRequest } from '../../protocol/teleport.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { confirmed, tellPush } from './push.ts'
import { waitAction } from './runs-control.ts'
import { changedWorkflow } from './teleport-replay.ts'
import { withTeleport } from './teleport-session.ts'

/** Publishes the fix and has the run go on, unless something stands against it. */
export async function resumeAction(
  context: CommandContext,
  [text = '']: readonly string[],
): Promise<ExitCode> {
  const { cluster, from, reason, preview, yes, follow } = context.flags
  const document = await changedWorkflow(context)
  if (document === 'invalid') return 2
  const request: ResumeRequest = {
    runId: runId(text),
    cluster: typeof cluster === 'string' ? cluster : null,
    document,
    nodeId: typeof from === 'string' ? nodeId(from) : null,
    by: null,
    reason: typeof reason === 'string' ? reason : null,
  }
  let answer: ResumeAnswer | null = null
  const code = await withTeleport(context, async (session): Promise<ExitCode> => {
    const told = await session.call('teleport.preview', request)
    tell(context, request, told)
    if (told.refusal !== null) return 1
    if (preview === true) return 0
    if (yes !== true && !(await confirmed(context, question))) return 1
    answer = await session.call('teleport.resume', request)
    return 0
  })
  // Assigned in the callback, which the compiler doesn't follow.
  const resumed = answer as ResumeAnswer | null
  if (resumed === null) return code
  if (context.json) context.emit({ type: 'run.resumed', ...resumed })
  else
    context.terminal.line(
      `Goes on at ${resumed.cluster} as generation ${resumed.generation}: ${resumed.again.join(', ')}.`,
    )
  if (follow !== true) return 0
  return waitAction({ ...context, flags: { ...context.flags, cluster: resumed.cluster } }, [resumed.runId])
}

const question = { about: 'resume', question: 'Resume it? [y/N] ', otherwise: 'Nothing was changed.' }

function tell(context: CommandContext, { document }: ResumeRequest, preview: ResumePreview): void {
  const { json, emit, terminal } = context
  const { push, again, refusal, cluster } = preview
  if (json) {
    emit({ type: 'resume.preview', ...preview })
    return
  }
  const { dim, red } = terminal.colors
  // A document that was opened from a file.
  if (push !== null) tellPush(context, document as unknown as WorkflowDocument, push)
  if (again.length > 0)
    terminal.line(`Begin anew at ${cluster}: ${again.join(', ')}, and all that follows them.`)
  if (refusal === null) return
  terminal.errorLine(`${red('error')} ${refusal.message} ${dim(`[${refusal.code}]`)}`)
  terminal.errorLine(`${dim('→')} ${refusal.hint}`)
}
