/** `teleport list|drop`: the pulled runs of this machine. */

import { runId } from '../../model/ids.ts'
import { instantText, tableText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { withTeleport } from './teleport-session.ts'

/** Those that were pulled last come first. */
export function listPulledAction(context: CommandContext): Promise<ExitCode> {
  const { json, emit, terminal } = context
  return withTeleport(context, async (session) => {
    const { runs } = await session.call('teleport.list', {})
    if (json) for (const run of runs) emit({ type: 'run', ...run })
    else if (runs.length === 0) {
      terminal.line(terminal.colors.dim('Nothing was pulled. See `sagasmith help teleport`.'))
    } else {
      const rows = runs.map(({ runId: id, status, isSnapshot, origin, workflowTitle }) => [
        id,
        isSnapshot ? `${status} then` : status,
        origin.cluster,
        instantText(origin.pulledAt),
        workflowTitle,
      ])
      const [head = '', ...lines] = tableText([['RUN', 'STATUS', 'FROM', 'PULLED', 'WORKFLOW'], ...rows])
      terminal.line(terminal.colors.dim(head))
      for (const line of lines) terminal.line(line)
    }
    return 0
  })
}

/** Forgets the copy. */
export function dropAction(context: CommandContext, [text = '']: readonly string[]): Promise<ExitCode> {
  return withTeleport(context, async (session) => {
    await session.call('teleport.drop', { runId: runId(text) })
    if (context.json) context.emit({ type: 'run.dropped', runId: text })
    else context.terminal.line(`Forgot ${text} here; nothing happened to it on its cluster.`)
    return 0
  })
}
