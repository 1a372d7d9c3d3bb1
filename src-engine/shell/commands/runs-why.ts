/** `runs why ID [STEP]`: what the steps of a run wait for. */

import { nodeId, runId } from '../../model/ids.ts'
import type { WhyWaiting } from '../../protocol/why-waiting.ts'
import { instantText } from '../terminal.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { withSession } from './with-session.ts'

/** Prints one paragraph per waiting step. */
export function whyAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const [run = '', step] = args
  return withSession(context, 'look', async (session) => {
    const { waiting } = await session.call('runs.why', {
      runId: runId(run),
      nodeId: step === undefined ? null : nodeId(step),
    })
    if (context.json) for (const item of waiting) context.emit({ type: 'waiting', ...item })
    else if (waiting.length === 0) context.terminal.line('Nothing of it is waiting.')
    else for (const line of waiting.flatMap(linesOf)) context.terminal.line(line)
    return 0
  })
}

function linesOf(item: WhyWaiting): readonly string[] {
  const { permit, until } = item
  return [
    `${item.nodeId ?? 'the run'}: ${item.code} (${item.status}) since ${instantText(item.since)}`,
    `  ${item.message}`,
    ...(permit === null
      ? []
      : [
          `  number ${permit.position} of ${permit.waiting} in line for “${permit.key}” (limit ${permit.limit})`,
          `  held by ${permit.holders.length === 0 ? 'nobody' : permit.holders.join(', ')}`,
        ]),
    ...(until === null ? [] : [`  until ${instantText(until)}`]),
    `  ${item.help}`,
  ]
}
