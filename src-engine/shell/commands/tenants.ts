/** `tenants list|limit`: how much each tenant may have at once. */

import type { TenantChange, TenantUse, TenantView } from '../../protocol/tenants.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { tellMissing } from './tell-missing.ts'
import { withSession } from './with-session.ts'

export const tenantsCommand: Command = {
  usage: 'tenants list | limit NAME [--runs N|none|settings] [--jobs N|none|settings]',
  summary: 'List what tenants use, and limit how much of it each may have at once.',
  options: { runs: { type: 'string' }, jobs: { type: 'string' } },
  optionHelp: [
    ['--runs N', 'limit: how many runs of the tenant are under way at once; none for no limit'],
    ['--jobs N', 'limit: how many of its steps are at work at once; settings for what the settings say'],
  ],
  positionals: { min: 1, max: 2 },
  run: (context) => {
    const [word, name] = context.positionals
    if (word === 'list' && name === undefined) return list(context)
    if (word === 'limit' && name !== undefined) return limit(context, name)
    throw usageError(`That is no use of “tenants ${word}”.`, `Usage: sagasmith ${tenantsCommand.usage}`)
  },
}

function list(context: CommandContext): Promise<ExitCode> {
  return withSession(context, 'look', async (session) => {
    const { tenants } = await session.call('tenants.list', {})
    for (const tenant of tenants) show(context, tenant)
    await tellMissing(context, session)
    return 0
  })
}

function limit(context: CommandContext, name: string): Promise<ExitCode> {
  const { runs, jobs } = context.flags
  if (runs === undefined && jobs === undefined) {
    throw usageError('There is nothing to limit.', `Usage: sagasmith ${tenantsCommand.usage}`)
  }
  const change = { name, runs: limitOf(runs), jobs: limitOf(jobs) }
  return withSession(context, 'look', async (session) => {
    const { tenant } = await session.call('tenants.set', change)
    show(context, tenant)
    return 0
  })
}

function limitOf(flag: unknown): TenantChange['runs'] {
  if (typeof flag !== 'string') return undefined
  if (flag === 'none') return null
  if (flag === 'settings') return 'settings'
  const number = Number(flag)
  if (Number.isInteger(number) && number >= 1) return number
  throw usageError(`${flag} is no limit.`, 'Write a whole number from 1, none, or settings.')
}

function show({ json, emit, terminal }: CommandContext, tenant: TenantView): void {
  if (json) emit({ type: 'tenant', ...tenant })
  else {
    const { name, runs, jobs } = tenant
    terminal.line(`${name}  ${terminal.colors.dim(`runs ${shareText(runs)}; steps ${shareText(jobs)}`)}`)
  }
}

function shareText({ limit: most, isOwn, taken, waiting }: TenantUse): string {
  if (most === null) return 'without limit'
  return `${taken} of ${most}, ${waiting} waiting${isOwn ? '' : ' (limit of the settings)'}`
}
