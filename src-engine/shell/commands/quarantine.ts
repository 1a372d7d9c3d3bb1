/** `quarantine list|show|release|discard`: results that the output policy holds back. */

import { invocationId, runId, workflowId } from '../../model/ids.ts'
import type { QuarantineDetail, QuarantineEntry } from '../../protocol/quarantine.ts'
import type { Session } from '../session.ts'
import { actionOf } from './action.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { flagText } from './flag-text.ts'
import { withSession } from './with-session.ts'

const pageSize = 50

type Action = (context: CommandContext, session: Session, id: string) => Promise<ExitCode>

const actions: Readonly<Record<string, { readonly act: Action; readonly args: number }>> = {
  list: { act: list, args: 0 },
  show: { act: show, args: 1 },
  release: { act: release, args: 1 },
  discard: { act: discard, args: 1 },
}

export const quarantineCommand: Command = {
  usage: 'quarantine list | show STEP [--content] | release STEP [--go-on] | discard STEP',
  summary: 'List results that the output policy holds back; look at them, release them or throw them away.',
  options: {
    workflow: { type: 'string' },
    run: { type: 'string' },
    after: { type: 'string' },
    content: { type: 'boolean' },
    'go-on': { type: 'boolean' },
    by: { type: 'string' },
    reason: { type: 'string' },
  },
  optionHelp: [
    ['--workflow ID', 'list: only results of this workflow'],
    ['--run ID', 'list: only results of this run'],
    ['--after CURSOR', 'list: the page after the one that ended with it'],
    ['--content', 'show: what is held, too; that you looked is kept in the run’s history'],
    ['--go-on', 'release: a run that ended without the result goes on with it'],
    ['--by NAME', 'who decides'],
    ['--reason TEXT', 'why; kept in the run’s history'],
  ],
  positionals: { min: 1, max: 2 },
  run: (context) => {
    const { action, args } = actionOf(quarantineCommand.usage, actions, context.positionals)
    return withSession(context, 'look', (session) => action.act(context, session, args[0] ?? ''))
  },
}

async function list(context: CommandContext, session: Session): Promise<ExitCode> {
  const { terminal, json } = context
  const workflow = flagText(context, 'workflow')
  const run = flagText(context, 'run')
  const page = await session.call('quarantine.list', {
    workflowId: workflow === null ? null : workflowId(workflow),
    runId: run === null ? null : runId(run),
    after: flagText(context, 'after'),
    limit: pageSize,
  })
  for (const entry of page.entries) {
    if (json) context.emit({ type: 'quarantine', ...entry })
    else terminal.line(lineOf(entry, terminal.colors))
  }
  if (!json && page.entries.length === 0) terminal.line('No result is held back.')
  if (!json && page.next !== null)
    terminal.line(terminal.colors.dim(`More: sagasmith quarantine list --after '${page.next}'`))
  return 0
}

const lineOf = (
  { severity, invocationId: id, reason }: QuarantineEntry,
  { red, dim }: CommandContext['terminal']['colors'],
): string => `${red(severity)}  ${id}  ${dim(reason)}`

async function show(context: CommandContext, session: Session, id: string): Promise<ExitCode> {
  const { terminal, json, flags } = context
  const step = invocationId(id)
  const detail = await session.call('quarantine.show', { invocationId: step })
  const content =
    flags['content'] === true
      ? (await session.call('quarantine.content', { invocationId: step, by: flagText(context, 'by') })).json
      : null
  if (json) context.emit({ type: 'quarantine', ...detail, content })
  else for (const line of linesOf(detail, content)) terminal.line(line)
  return 0
}

function linesOf(detail: QuarantineDetail, content: string | null): readonly string[] {
  const { rule, decision, reason, phase, at, runStatus, refusal, decided } = detail
  const when = phase === 'metadata' ? 'before it was handed on' : 'after it was handed on'
  const lines = [
    detail.invocationId,
    `  run        ${detail.runId} (${runStatus}), step ${detail.nodeId} of “${detail.workflowTitle}”`,
    `  decided    ${decision} by ${rule === null ? 'the check itself' : `the rule “${rule}”`}, ${when}`,
    `  because    ${reason}`,
    `  at         ${new Date(at).toISOString()}`,
    `  stands     ${detail.standing}${detail.bytes === null ? '' : `, ${detail.bytes} bytes`}`,
    ...detail.findings.map(
      ({ type, place, snippet }) => `  found      ${type} at ${place}${snippet === '' ? '' : `: ${snippet}`}`,
    ),
    ...detail.dependents.map(
      ({ invocationId: dependent, status }) => `  used by    ${dependent} (${status}), which isn’t run again`,
    ),
  ]
  if (detail.dependentsCount > detail.dependents.length)
    lines.push(`  used by    ${detail.dependentsCount - detail.dependents.length} more steps`)
  if (decided !== null) {
    const why = decided.reason === null ? '' : `: ${decided.reason}`
    lines.push(
      `  ${detail.standing.padEnd(9)}  by ${decided.by}, ${new Date(decided.at).toISOString()}${why}`,
    )
  }
  if (refusal !== null && detail.standing === 'held') lines.push(`  refused    ${refusal.message}`)
  if (content !== null) lines.push(`  content    ${content}`)
  return lines
}

async function release(context: CommandContext, session: Session, id: string): Promise<ExitCode> {
  const { runStatus } = await session.call('quarantine.release', {
    ...decisionOf(context, id),
    goOn: context.flags['go-on'] === true,
  })
  return told(context, 'released', { id, runStatus })
}

async function discard(context: CommandContext, session: Session, id: string): Promise<ExitCode> {
  const { runStatus } = await session.call('quarantine.discard', decisionOf(context, id))
  return told(context, 'discarded', { id, runStatus })
}

const decisionOf = (context: CommandContext, id: string) => ({
  invocationId: invocationId(id),
  by: flagText(context, 'by'),
  reason: flagText(context, 'reason'),
})

function told(
  { json, emit, terminal }: CommandContext,
  what: 'released' | 'discarded',
  { id, runStatus }: { readonly id: string; readonly runStatus: string },
): ExitCode {
  if (json) emit({ type: `quarantine.${what}`, invocationId: id, runStatus })
  else terminal.line(`${what === 'released' ? 'Released' : 'Discarded'}. The run is ${runStatus}.`)
  return 0
}
