/** `runs why ID [STEP]`: what the steps of a run wait for. */

import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { nodeId, runId } from '../../model/ids.ts'
import type { WhyWaiting } from '../../protocol/why-waiting.ts'
import type { Session } from '../session.ts'
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
    if (waiting.length === 0 && !context.json)
      context.terminal.line(await nothingText(session, runId(run), step))
    for (const item of waiting) {
      const url = await calledAt(session, item)
      if (context.json) context.emit({ type: 'waiting', ...item, ...(url === null ? {} : { url }) })
      else for (const line of linesOf(item, url)) context.terminal.line(line)
    }
    return 0
  })
}

/** The address that a step waits at; null for one that waits for something else. */
async function calledAt(session: Session, { code, invocationId }: WhyWaiting): Promise<string | null> {
  if (code !== 'call' || invocationId === null) return null
  return (await session.call('webhooks.callback', { invocationId })).url
}

/** Says how things stand where nothing waits; a step that the run doesn’t have is a mistake. */
async function nothingText(session: Session, id: RunId, step: string | undefined): Promise<string> {
  const { run, invocations, skipped } = await session.call('runs.get', { runId: id })
  if (step === undefined) return `Nothing of it is waiting: the run is ${run.status}.`
  const latest = invocations.filter((record) => record.nodeId === step).at(-1)
  if (latest !== undefined) return `“${step}” isn’t waiting: it is ${latest.status}.`
  if (skipped.some((node) => node.nodeId === step)) return `“${step}” isn’t waiting: it was skipped.`
  throw new SagasmithError('invocation_not_found', {
    message: `The step “${step}” of run ${id} hasn’t begun, or there is none of that name.`,
    hint: `See its steps with \`sagasmith runs show ${id}\`.`,
    details: { runId: id, nodeId: step },
  })
}

function linesOf(item: WhyWaiting, url: string | null): readonly string[] {
  const { permit, until } = item
  return [
    `${item.nodeId ?? 'the run'}: ${item.code} (${item.status}) since ${instantText(item.since)}`,
    `  ${item.message}`,
    ...(url === null ? [] : [`  at ${url}`]),
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
