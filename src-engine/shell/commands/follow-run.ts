/**
 * Follows a run to its end: JSON lines or the live list. Ctrl-C asks the run that one started oneself to
 * cancel, and leaves at the second time; SIGTERM leaves at once. A run that was left goes on later.
 */

import type { RunId } from '../../model/ids.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { RunFollower, Session } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { reportEnd } from './run-end.ts'
import { createRunView } from './run-view.ts'

export interface Followed {
  readonly runId: RunId
  /** For the titles of the steps; null when it isn't known. */
  readonly document: WorkflowDocument | null
  /** What the first Ctrl-C means. */
  readonly onInterrupt: 'cancel' | 'leave'
  /** Ends of earlier generations are none; the first end when absent. */
  readonly generation?: number
  /** Ends up to this place are none either. */
  readonly after?: NonNullable<RunFollower['after']>
}

/** How often spinners turn. */
const tickMs = 100

/** Resolves with the exit code of the run's end; 1 when the person left before. */
export async function followToEnd(
  context: CommandContext,
  session: Session,
  followed: Followed,
): Promise<ExitCode> {
  const left = Promise.withResolvers<'left'>()
  const stopListening = context.onInterrupt(
    createInterrupt(context, session, { followed, leave: () => left.resolve('left') }),
  )
  try {
    const end = await Promise.race([follow(context, session, followed), left.promise])
    if (end !== 'left') return await reportEnd(context, session, followed.runId)
    context.terminal.errorLine(`Left. The run goes on with \`sagasmith runs wait ${followed.runId}\`.`)
    return 1
  } finally {
    stopListening()
  }
}

async function follow(
  context: CommandContext,
  session: Session,
  { runId, document, generation = 0, after = { epoch: 0, seq: 0 } }: Followed,
): Promise<void> {
  if (context.json) {
    await session.followRun(runId, {
      // Whoever reads them may check the chain.
      ...{ generation, after, hashes: true },
      events: (events) => {
        for (const event of events) context.emit({ type: event.body.type, ...event })
      },
    })
    return
  }
  const view = createRunView(context.terminal, document, systemClock)
  let cancelTick: () => void = () => undefined
  const tick = (): void => {
    view.tick()
    cancelTick = systemClock.after(tickMs, tick)
  }
  if (context.terminal.isTerminal) tick()
  try {
    await session.followRun(runId, { generation, after, events: view.events })
  } finally {
    cancelTick()
    view.end()
  }
}

/** First a request to cancel, then out. */
function createInterrupt(
  context: CommandContext,
  session: Session,
  asked: { readonly followed: Followed; readonly leave: () => void },
): (signal: 'SIGINT' | 'SIGTERM') => void {
  let count = 0
  return (signal) => {
    count += 1
    if (count > 1 || signal === 'SIGTERM' || asked.followed.onInterrupt === 'leave') return asked.leave()
    context.terminal.errorLine('Cancelling … (Ctrl-C again to leave the run to itself)')
    session.call('runs.cancel', { runId: asked.followed.runId }).catch((error: unknown) => {
      // It may have ended in the same moment; otherwise the person can still leave.
      const reason = error instanceof Error ? error.message : String(error)
      context.terminal.errorLine(`The cancel was refused: ${reason}`)
    })
  }
}
