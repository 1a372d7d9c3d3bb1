/** `audit`: who decided what, over all runs. */

import { runId } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { AuditEntry, AuditPage, AuditQuery, AuditSubject } from '../../protocol/audit.ts'
import { auditSubjects } from '../../protocol/audit.ts'
import type { Session } from '../session.ts'
import { instantText } from '../terminal.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { flagText } from './flag-text.ts'
import { withSession } from './with-session.ts'

const limitDefault = 50

export const auditCommand: Command = {
  usage: 'audit [--run RUN] [--about SUBJECTS] [--by NAME]',
  summary: 'List who decided what: approvals, held results, rollbacks, policies, runs; newest first.',
  options: {
    run: { type: 'string' },
    about: { type: 'string' },
    by: { type: 'string' },
    before: { type: 'string' },
    limit: { type: 'string' },
    cluster: { type: 'string' },
  },
  optionHelp: [
    ['--run RUN', 'only about this run'],
    ['--about SUBJECTS', `only about these: ${auditSubjects.join(', ')}`],
    ['--by NAME', 'only what this person decided'],
    ['--before CURSOR', 'the page after the one that ended with it'],
    ['--limit N', `how many at most (${limitDefault})`],
    ['--cluster NAME', 'on this cluster (redis://…, or its name)'],
  ],
  positionals: { min: 0, max: 0 },
  run: (context) => {
    const query = queryOf(context)
    return withSession(context, 'look', async (session): Promise<ExitCode> => {
      const { entries, next } = await pageOf(session, query)
      tell(context, entries, next)
      return 0
    })
  },
}

/** A page may end early where nobody decided anything for long: then the next one is asked for, too. */
async function pageOf(
  session: Session,
  query: AuditQuery,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }> {
  const entries: AuditEntry[] = []
  for (let before = query.before; ; ) {
    const limit = query.limit - entries.length
    const page: AuditPage = await session.call('audit.list', { ...query, before, limit })
    entries.push(...page.entries)
    before = page.next
    if (before === null || entries.length >= query.limit) return { entries, next: before }
  }
}

function tell(
  { terminal, json, emit }: CommandContext,
  entries: readonly AuditEntry[],
  next: string | null,
): void {
  if (json) {
    for (const entry of entries) emit({ type: 'audit', ...entry })
    emit({ type: 'audit.page', next })
    return
  }
  for (const entry of entries) terminal.line(lineOf(entry, terminal.colors.dim))
  if (entries.length === 0) terminal.line('Nobody decided anything.')
  if (next !== null) terminal.line(terminal.colors.dim(`More: sagasmith audit --before ${next}`))
}

const wordsOf: Readonly<Record<AuditSubject, string>> = {
  approval: 'the approval',
  result: 'the result',
  effect: 'the effect',
  rollback: 'the rollback',
  run: 'the run',
  'dead-letter': 'the dead letter',
  policy: 'the policy',
  'output-policy': 'the output policy',
}

function lineOf(entry: AuditEntry, dim: (text: string) => string): string {
  const { at, by, act, about, reason, nodeId, workflowTitle, runId: run, hash } = entry
  const what = about === 'run' && nodeId !== null ? 'the step' : wordsOf[about]
  const who = by ?? (act === 'expired' ? 'nobody' : 'somebody')
  const where = [nodeId, workflowTitle].filter((text) => text !== null).join(' of ')
  const of = where === '' ? '' : ` ${where}`
  const why = reason === null ? '' : `: ${reason}`
  const link = run ?? hash
  return `${instantText(at)}  ${who} ${act} ${what}${of}${why}${link === null ? '' : dim(`  ${link}`)}`
}

function queryOf(context: CommandContext): AuditQuery {
  const text = (name: string): string | null => flagText(context, name)
  const run = text('run')
  return {
    runId: run === null ? null : runId(run),
    about: subjectsOf(text('about')),
    by: text('by'),
    before: text('before'),
    limit: limitOf(text('limit')),
  }
}

function subjectsOf(given: string | null): readonly AuditSubject[] | null {
  if (given === null) return null
  return given.split(',').map((word) => {
    const subject = auditSubjects.find((known) => known === word.trim())
    if (subject !== undefined) return subject
    throw usageError(`Nothing is decided about “${word}”.`, `Known are ${auditSubjects.join(', ')}.`)
  })
}

function limitOf(given: string | null): number {
  if (given === null) return limitDefault
  const limit = Number(given)
  if (Number.isInteger(limit) && limit >= 1 && limit <= pageSizeMax) return limit
  throw usageError(`“${given}” is no number of entries.`, `Use 1 to ${pageSizeMax}.`)
}
