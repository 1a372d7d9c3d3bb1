/** `teleport here`: the rest of a pulled run is done on this machine, after a look at what really happens then. */

import { nodeId, runId } from '../../model/ids.ts'
import type { HereAnswer, HerePreview, HereRequest } from '../../protocol/teleport.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { confirmed } from './push.ts'
import { waitAction } from './runs-control.ts'
import { changedWorkflow } from './teleport-replay.ts'
import { withTeleport } from './teleport-session.ts'

/** Makes a run of this machine of it and has that go on, unless something stands against it. */
export async function hereAction(context: CommandContext, [text = '']: readonly string[]): Promise<ExitCode> {
  const { from, reason, preview, yes, follow } = context.flags
  const document = await changedWorkflow(context)
  if (document === 'invalid') return 2
  const request: HereRequest = {
    runId: runId(text),
    document,
    nodeId: typeof from === 'string' ? nodeId(from) : null,
    there: context.flags['cancel-there'] === true ? 'cancel' : 'leave',
    by: null,
    reason: typeof reason === 'string' ? reason : null,
  }
  let answer: HereAnswer | null = null
  const code = await withTeleport(context, async (session): Promise<ExitCode> => {
    const told = await session.call('teleport.previewHere', request)
    tell(context, told)
    if (told.refusal !== null) return 1
    if (preview === true) return 0
    if (yes !== true && !(await confirmed(context, question))) return 1
    answer = await session.call('teleport.here', request)
    return 0
  })
  // Assigned in the callback, which the compiler doesn't follow.
  const begun = answer as HereAnswer | null
  if (begun === null) return code
  if (context.json) context.emit({ type: 'run.here', ...begun })
  else {
    context.terminal.line(`Goes on here as ${begun.runId}: ${begun.again.join(', ')}.`)
    context.terminal.line(
      context.terminal.colors.dim(
        `A designer or runner on this data directory does it; else: sagasmith run --resume ${begun.runId}`,
      ),
    )
  }
  return follow === true ? waitAction(context, [begun.runId]) : 0
}

const question = {
  about: 'do it here',
  question: 'Do the rest on this machine, with its real effects? [y/N] ',
  otherwise: 'Nothing was changed.',
}

function tell({ json, emit, terminal }: CommandContext, preview: HerePreview): void {
  const { cluster, again, acting, there, cancels, missingSecrets, undoneThere, refusal } = preview
  if (json) {
    emit({ type: 'here.preview', ...preview })
    return
  }
  const { dim, red, yellow } = terminal.colors
  if (cancels) terminal.line(`${yellow('!')} The run is ${there} on ${cluster}: it is cancelled there first.`)
  else if (refusal === null) terminal.line(`On ${cluster} it stays as it is: ${there ?? 'no longer there'}.`)
  if (again.length > 0) terminal.line(`Begin anew here: ${again.join(', ')}, and all that follows them.`)
  if (acting.length > 0) {
    terminal.line(`${yellow('!')} These really act on the outside, from this machine: ${acting.join(', ')}.`)
  }
  if (missingSecrets.length > 0) {
    terminal.line(`${yellow('!')} This machine’s vault has no ${missingSecrets.join(', ')}.`)
  }
  if (undoneThere.length > 0) {
    const steps = undoneThere.join(', ')
    terminal.line(
      `${yellow('!')} Only ${cluster} can undo what was done there; a rollback here leaves it: ${steps}.`,
    )
  }
  if (refusal === null) return
  terminal.errorLine(`${red('error')} ${refusal.message} ${dim(`[${refusal.code}]`)}`)
  terminal.errorLine(`${dim('→')} ${refusal.hint}`)
}
