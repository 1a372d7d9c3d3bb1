/** `dlq list|show|replay|discard`: what ended without success and needs a person. */

import type { DeadLetter } from '../../model/checkpoint.ts'
import { runId, workflowId } from '../../model/ids.ts'
import type { Payload } from '../../model/payload.ts'
import { sealedWords } from '../../model/seal.ts'
import type { Session } from '../session.ts'
import { instantText, tableText } from '../terminal.ts'
import { actionOf } from './action.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { flagText } from './flag-text.ts'
import { readRunInput } from './run-input.ts'
import { tellMissing } from './tell-missing.ts'
import { withSession } from './with-session.ts'

const pageSize = 50

type Action = (context: CommandContext, session: Session, id: string) => Promise<ExitCode>

const actions: Readonly<Record<string, { readonly act: Action; readonly args: number }>> = {
  list: { act: list, args: 0 },
  show: { act: show, args: 1 },
  replay: { act: replay, args: 1 },
  discard: { act: discard, args: 1 },
}

export const dlqCommand: Command = {
  usage: 'dlq list | show ID | replay ID [--input JSON|@FILE] | discard ID',
  summary: 'List dead letters; run them again, with another input if need be, or throw them away.',
  options: {
    reason: { type: 'string' },
    workflow: { type: 'string' },
    run: { type: 'string' },
    after: { type: 'string' },
    input: { type: 'string' },
  },
  optionHelp: [
    ['--reason CODE', 'list: only letters with this reason'],
    ['--workflow ID', 'list: only letters of this workflow'],
    ['--run ID', 'list: only letters of this run'],
    ['--after ID', 'list: the page after the letter that the last page ended with'],
    [
      '--input JSON',
      'replay: another input for the run (of a rollback: for what undoes), or @FILE to read it',
    ],
  ],
  positionals: { min: 1, max: 2 },
  run: (context) => {
    const { action, args } = actionOf(dlqCommand.usage, actions, context.positionals)
    return withSession(context, 'look', (session) => action.act(context, session, args[0] ?? ''))
  },
}

async function list(context: CommandContext, session: Session): Promise<ExitCode> {
  const { terminal, json } = context
  const workflow = flagText(context, 'workflow')
  const run = flagText(context, 'run')
  const page = await session.call('deadLetters.list', {
    reason: flagText(context, 'reason'),
    workflowId: workflow === null ? null : workflowId(workflow),
    runId: run === null ? null : runId(run),
    after: flagText(context, 'after'),
    limit: pageSize,
  })
  if (json) for (const letter of page.letters) context.emit({ type: 'dead-letter', ...letter })
  else if (page.letters.length > 0) {
    const [head = '', ...rows] = tableText([
      ['LETTER', 'ENDED', 'WORKFLOW', 'WHAT HAPPENED'],
      ...page.letters.map(({ id, at, workflowId: of, message }) => [id, instantText(at), of ?? '-', message]),
    ])
    terminal.line(terminal.colors.dim(head))
    for (const row of rows) terminal.line(row)
  }
  if (!json && page.letters.length === 0) terminal.line('There are no dead letters.')
  if (!json && page.next !== null)
    terminal.line(terminal.colors.dim(`More: sagasmith dlq list --after ${page.next}`))
  await tellMissing(context, session)
  return 0
}

async function show(context: CommandContext, session: Session, id: string): Promise<ExitCode> {
  const letter = await session.call('deadLetters.get', { id })
  if (context.json) context.emit({ type: 'dead-letter', ...letter })
  else for (const line of linesOf(letter)) context.terminal.line(line)
  return 0
}

function linesOf(letter: DeadLetter): readonly string[] {
  const { id, reason, message, lastStatus, attempts, runId: run, nodeId, input } = letter
  return [
    id,
    `  reason    ${reason}: ${message}`,
    `  run       ${run ?? 'none'}${nodeId === null ? '' : `, step ${nodeId}`}`,
    `  was       ${lastStatus} after ${attempts} attempts, ${new Date(letter.at).toISOString()}`,
    `  input     ${input === null ? 'none' : shortText(input)}`,
  ]
}

function shortText(payload: Payload): string {
  if (payload.kind === 'inline') return payload.json
  return payload.kind === 'blob'
    ? `${payload.bytes} bytes`
    : sealedWords(payload.token, payload.problem).message
}

async function replay(context: CommandContext, session: Session, id: string): Promise<ExitCode> {
  const given = flagText(context, 'input')
  const input = given === null ? null : { value: await readRunInput(given) }
  const letter = await session.call('deadLetters.get', { id })
  const { runId: started } = await session.call('deadLetters.replay', { id, input, by: null })
  if (context.json) context.emit({ type: 'dead-letter.replayed', id, runId: started })
  else {
    // What undoes a step is tried again where it failed.
    const said = started === letter.runId ? `The rollback of ${started} goes on` : `Started ${started}`
    context.terminal.line(`${said}. Follow it with \`sagasmith runs wait ${started}\`.`)
  }
  return 0
}

async function discard(context: CommandContext, session: Session, id: string): Promise<ExitCode> {
  await session.call('deadLetters.discard', { id, by: null })
  if (context.json) context.emit({ type: 'dead-letter.discarded', id })
  else context.terminal.line('Discarded.')
  return 0
}
