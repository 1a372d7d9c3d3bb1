/** `approvals list|show|approve|reject|push-back`: what waits for a person, and what they say of it. */

import type { ApprovalAnswer } from '../../model/approval.ts'
import { runId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { ApprovalView, InboxEntry } from '../../protocol/approvals.ts'
import { personHere } from '../person.ts'
import type { Session } from '../session.ts'
import { actionOf } from './action.ts'
import { linesOfEntry, linesOfQuestion } from './approval-lines.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { flagText } from './flag-text.ts'
import { readRunInput } from './run-input.ts'
import { withSession } from './with-session.ts'

const pageSize = 50

type Action = (context: CommandContext, session: Session, args: readonly string[]) => Promise<ExitCode>

const answering =
  (answer: ApprovalAnswer): Action =>
  (context, session, args) =>
    decide(context, session, { answer, args })

const actions: Readonly<Record<string, { readonly act: Action; readonly args: number }>> = {
  list: { act: list, args: 0 },
  show: { act: show, args: 2 },
  approve: { act: answering('approve'), args: 2 },
  reject: { act: answering('reject'), args: 2 },
  'push-back': { act: answering('push-back'), args: 2 },
}

export const approvalsCommand: Command = {
  usage: 'approvals list | show RUN STEP | approve RUN STEP | reject RUN STEP | push-back RUN STEP',
  summary: 'List what waits for a person across all runs; look at it, and decide it.',
  options: {
    run: { type: 'string' },
    for: { type: 'string' },
    after: { type: 'string' },
    as: { type: 'string' },
    hash: { type: 'string' },
    values: { type: 'string' },
    comment: { type: 'string' },
    cluster: { type: 'string' },
  },
  optionHelp: [
    ['--run RUN', 'list: only of this run'],
    ['--for NAME', 'list: only what this person may decide'],
    ['--after ID', 'list: the page after the entry that the last page ended with'],
    ['--as NAME', 'who decides; without it the user of this system'],
    ['--hash HASH', 'what was seen; without it what is shown now is decided'],
    ['--values JSON', 'approve: what the form asks for, or @FILE to read it from a file'],
    ['--comment TEXT', 'what those should know who read the decision'],
    ['--cluster NAME', 'on this cluster (redis://…, or its name)'],
  ],
  positionals: { min: 1, max: 3 },
  run: (context) => {
    const { action, args } = actionOf(approvalsCommand.usage, actions, context.positionals)
    return withSession(context, 'look', (session) => action.act(context, session, args))
  },
}

async function list(context: CommandContext, session: Session): Promise<ExitCode> {
  const { terminal, json } = context
  const run = flagText(context, 'run')
  const { entries, counts, next } = await session.call('approvals.list', {
    runId: run === null ? null : runId(run),
    approver: flagText(context, 'for'),
    // The engine knows its own ids.
    after: flagText(context, 'after') as InboxEntry['invocationId'] | null,
    limit: pageSize,
  })
  if (json) {
    for (const entry of entries) context.emit({ type: 'approval', ...entry })
    context.emit({ type: 'approvals', ...counts, next })
    return 0
  }
  for (const entry of entries) for (const line of linesOfEntry(entry, terminal.colors)) terminal.line(line)
  if (entries.length === 0) terminal.line('Nothing waits for a person.')
  if (next !== null) terminal.line(terminal.colors.dim(`More: sagasmith approvals list --after ${next}`))
  return 0
}

async function show(context: CommandContext, session: Session, args: readonly string[]): Promise<ExitCode> {
  const entry = await entryOf(session, args)
  if (context.json) context.emit({ type: 'approval', ...entry })
  else for (const line of linesOfQuestion(entry)) context.terminal.line(line)
  return 0
}

async function decide(
  context: CommandContext,
  session: Session,
  { answer, args }: { readonly answer: ApprovalAnswer; readonly args: readonly string[] },
): Promise<ExitCode> {
  const values = await valuesOf(context)
  const entry = await entryOf(session, args)
  if (entry.kind === 'effect') {
    throw usageError(
      `“${entry.nodeId}” was cut off while it ran: that is nothing to approve.`,
      `Use sagasmith runs resolve ${entry.runId} ${entry.nodeId} --as again|done|fail.`,
    )
  }
  const { runId: run, invocationId } = entry
  const { result, decided } = await session.call('approvals.decide', {
    ...{ runId: run, invocationId, answer, values },
    hash: flagText(context, 'hash') ?? entry.hash,
    comment: flagText(context, 'comment'),
    by: flagText(context, 'as') ?? personHere(),
  })
  if (context.json) context.emit({ type: 'approval.decided', runId: run, invocationId, result, ...decided })
  else context.terminal.line(wordsOf(entry, result, decided))
  return 0
}

function wordsOf(
  { title }: ApprovalView,
  result: 'decided' | 'already',
  { outcome, by }: NonNullable<ApprovalView['decided']>,
): string {
  const what = outcome === 'changes' ? 'pushed back' : outcome
  return result === 'decided' ? `“${title}” is ${what}.` : `“${title}” was ${what} already, by ${by}.`
}

async function valuesOf(context: CommandContext): Promise<JsonObject | null> {
  const given = flagText(context, 'values')
  if (given === null) return null
  const values = await readRunInput(given, 'values')
  if (isJsonObject(values)) return values
  throw usageError('The values of a form are an object.', 'Give something like --values \'{"amount": 7}\'.')
}

/** By the step's name, or its whole id. */
async function entryOf(session: Session, [run = '', step = '']: readonly string[]): Promise<InboxEntry> {
  const id = runId(run)
  const { invocations } = await session.call('runs.get', { runId: id })
  const ofStep = invocations.filter((record) => record.id === step || record.nodeId === step)
  const waits = ofStep.find(({ status }) => status === 'APPROVAL_REQUIRED')
  const found = waits ?? ofStep.findLast(({ dispatch }) => dispatch?.approval !== undefined)
  if (found === undefined) {
    throw usageError(
      `The run ${run} has no step “${step}” that asks a person.`,
      'List what waits for somebody with `sagasmith approvals list`.',
    )
  }
  return (await session.call('approvals.show', { runId: id, invocationId: found.id })).entry
}
