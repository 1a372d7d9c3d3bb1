/** `runs wait|resolve`: going on with a run. */

import { SagasmithError } from '../../model/errors.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { runId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import { hasComeToRest } from '../../model/run-status.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { InputOf } from '../../protocol/api.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { Session } from '../session.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { followToEnd } from './follow-run.ts'
import { lingerForOthers } from './linger.ts'
import { reportEnd } from './run-end.ts'
import { readRunInput } from './run-input.ts'
import { withSession } from './with-session.ts'

/** Follows a run to its end; opening the data directory is what makes an interrupted one go on. */
export function waitAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const id = runId(args[0] ?? '')
  return withSession(context, 'work', async (session) => {
    const { run, pulled, epoch, seq } = await session.call('runs.get', { runId: id })
    if (pulled?.isSnapshot === true) throw goesOnElsewhere(pulled)
    if (hasComeToRest(run.status)) return reportEnd(context, session, id)
    const { document } = await session.call('workflows.version', { hash: run.definitionHash })
    // A published version is a document that passed validation.
    const followed = {
      runId: id,
      document: document as unknown as WorkflowDocument,
      onInterrupt: 'leave',
      generation: run.generation,
      // It may have been rolled back after one end, or again after another.
      after: { epoch, seq },
    } as const
    const code = await followToEnd(context, session, followed)
    await lingerForOthers(session.connection().host, systemClock)
    return code
  })
}

/** Nothing more happens to a copy. */
const goesOnElsewhere = ({ runId: id, origin }: PulledRun): SagasmithError =>
  new SagasmithError('teleport_read_only', {
    message: `The run ${id} goes on at ${origin.cluster}; here is how it was when it was pulled.`,
    hint: `Wait for it there: sagasmith runs wait ${id} --cluster ${origin.cluster}`,
    details: { runId: id, cluster: origin.cluster },
  })

/** Decides a step that waits for a person because its runner died under it. */
export async function resolveAction(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  const decision = await decisionOf(context)
  const id = runId(args[0] ?? '')
  return withSession(context, 'look', async (session) => {
    const step = await stepOf(session, id, args[1] ?? '')
    await session.call('invocations.resolve', { runId: id, invocationId: step, decision })
    if (context.json)
      context.emit({ type: 'step.resolved', runId: id, invocationId: step, decision: decision.kind })
    else context.terminal.line(`Decided. Go on with \`sagasmith runs wait ${id}\`.`)
    return 0
  })
}

async function decisionOf(context: CommandContext): Promise<InputOf<'invocations.resolve'>['decision']> {
  const { as, output } = context.flags
  if (as === 'again') return { kind: 'run-again' }
  if (as === 'fail') return { kind: 'fail' }
  if (as === 'done') {
    const value: JsonValue = typeof output === 'string' ? await readRunInput(output) : null
    return { kind: 'take-as-done', output: value }
  }
  throw usageError('Say what to do with the step.', 'Use --as again, --as done or --as fail.')
}

/** The step by its node id or its whole id. */
async function stepOf(session: Session, id: RunId, text: string): Promise<InvocationId> {
  const { invocations } = await session.call('runs.get', { runId: id })
  const waiting = invocations.filter(({ status }) => status === 'APPROVAL_REQUIRED')
  const found = waiting.find((step) => step.id === text || step.nodeId === text)
  if (found !== undefined) return found.id
  const names = waiting.map(({ nodeId }) => nodeId).join(', ')
  throw usageError(
    `The run ${id} has no step “${text}” that waits for a decision.`,
    names === '' ? 'No step of it waits for one.' : `These do: ${names}.`,
  )
}
