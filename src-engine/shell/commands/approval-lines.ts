/** Entries of the inbox, in lines for people. */

import type { ApprovalNotice } from '../../model/approval.ts'
import type { ApprovalView, InboxEntry } from '../../protocol/approvals.ts'
import type { Terminal } from '../terminal.ts'

/** Two lines of a list. */
export function linesOfEntry(entry: InboxEntry, colors: Terminal['colors']): readonly string[] {
  const { runId, nodeId, nodeTitle, workflowTitle, requestedAt } = entry
  const isUrgent = entry.kind === 'approval' && entry.escalatedAt !== null
  const title = entry.kind === 'approval' ? entry.title : `${nodeTitle} was cut off while it ran`
  const mark = isUrgent ? `${colors.red('urgent')}  ` : ''
  const since = `since ${new Date(requestedAt).toISOString()}`
  return [
    `${mark}${colors.bold(title)}`,
    `  ${colors.dim(`${workflowTitle}, ${since}${untilOf(entry)}`)}  ${runId} ${nodeId}`,
  ]
}

const untilOf = (entry: InboxEntry): string =>
  entry.kind === 'approval' && entry.expiresAt !== null
    ? `, until ${new Date(entry.expiresAt).toISOString()}`
    : ''

/** All that a person needs to decide. */
export function linesOfQuestion(entry: InboxEntry): readonly string[] {
  const { runId, nodeId, workflowTitle, startedBy } = entry
  const place = [`  workflow  ${workflowTitle}, step ${nodeId} of ${runId}`, ...startedLine(startedBy)]
  if (entry.kind === 'effect') {
    const ways = `sagasmith runs resolve ${runId} ${nodeId} --as again|done|fail`
    return [entry.error.message, ...place, `  decide    ${ways}`]
  }
  const { title, message, details, form, approvers } = entry
  return [
    title,
    ...(message === '' ? [] : ['', ...message.split('\n').map((line) => `  ${line}`), '']),
    ...place,
    ...(details === null ? [] : [`  details   ${JSON.stringify(details)}`]),
    ...(form === null ? [] : [`  form      ${JSON.stringify(form)}`]),
    ...(approvers.length === 0 ? [] : [`  for       ${approvers.join(', ')}`]),
    ...termLines(entry),
    `  hash      ${entry.hash}, revision ${entry.revision}`,
    ...decisionLines(entry),
  ]
}

const startedLine = (by: string | null): readonly string[] => (by === null ? [] : [`  started   by ${by}`])

function termLines({ expiresAt, onExpiry, otherPerson, blocked, notices }: ApprovalView): readonly string[] {
  const lines: string[] = []
  if (otherPerson) lines.push('  by        somebody else than who started the run')
  if (expiresAt !== null) {
    const then = onExpiry === 'reject' ? 'rejected' : 'timed out'
    lines.push(`  until     ${new Date(expiresAt).toISOString()}, then it is ${then}`)
  }
  lines.push(...notices.map(noticeLine))
  if (blocked === 'paused') lines.push('  paused    it takes a decision once somebody resumes it')
  return lines
}

function noticeLine({ occasion, at, to, error, isOver }: ApprovalNotice): string {
  const urgent = occasion === 'escalated' ? ', urgent' : ''
  if (error === null) return `  mail      to ${to}${urgent}, ${new Date(at).toISOString()}`
  const whom = to === '' ? '' : ` to ${to}`
  return `  mail      not sent${whom}${urgent}: ${error.message}${isOver ? '' : ' It is tried again.'}`
}

function decisionLines({ decided, answers }: ApprovalView): readonly string[] {
  if (decided === null) return [`  decide    ${answers.join(', ')}`]
  const { outcome, by, at, comment, values } = decided
  const what = outcome === 'changes' ? 'pushed back' : outcome
  return [
    `  decided   ${what}${by === null ? '' : ` by ${by}`}, ${new Date(at).toISOString()}`,
    ...(comment === null ? [] : [`  comment   ${comment}`]),
    ...(values === null ? [] : [`  values    ${JSON.stringify(values)}`]),
  ]
}
