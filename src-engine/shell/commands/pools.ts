/** `pools list|drain|activate|deactivate|limit|topics`: where work may run, and how much of it. */

import type { PoolChange, PoolStatus } from '../../model/pools.ts'
import type { PoolView } from '../../protocol/pools.ts'
import type { Session } from '../session.ts'
import type { CommandAction } from './action.ts'
import { actionOf } from './action.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { tellMissing } from './tell-missing.ts'
import { withSession } from './with-session.ts'

interface Action extends CommandAction {
  readonly change: (name: string, value: string) => PoolChange
}

const to = (status: PoolStatus): Action => ({ args: 1, change: (name) => ({ name, status }) })

const actions: Readonly<Record<string, Action>> = {
  drain: to('draining'),
  activate: to('active'),
  deactivate: to('inactive'),
  limit: { args: 2, change: (name, value) => ({ name, limit: limitOf(value) }) },
  topics: { args: 2, change: (name, value) => ({ name, topics: wordsOf(value) }) },
}

export const poolsCommand: Command = {
  usage:
    'pools list | drain NAME | activate NAME | deactivate NAME | limit NAME N|none | topics NAME A,B|none',
  summary: 'List pools; drain them, take them out, limit them, map topics to them.',
  options: {},
  optionHelp: [
    ['drain', 'no new work of the pool begins; when what runs has ended, it is inactive'],
    ['activate', 'its work is taken again'],
    ['deactivate', 'no new work begins, whatever still runs'],
    ['limit', 'how many of its steps run at once, on all runners together'],
    ['topics', 'the kinds of steps, or topics that steps name, that run in it from now on'],
  ],
  positionals: { min: 1, max: 3 },
  run: (context) => {
    const [word = '', name = '', value = ''] = context.positionals
    if (word === 'list' && context.positionals.length === 1)
      return withSession(context, 'look', (session) => list(context, session))
    const { action } = actionOf(poolsCommand.usage, actions, context.positionals)
    const change = action.change(name, value)
    return withSession(context, 'look', async (session) => {
      if (change.status !== undefined) await requirePool(session, name)
      const { pool } = await session.call('pools.set', change)
      if (context.json) context.emit({ type: 'pool', ...pool })
      else {
        context.terminal.line(lineOf(context, pool))
        if (pool.runners.length === 0) context.terminal.line(`No runner serves “${pool.name}” yet.`)
      }
      return 0
    })
  },
}

/** A limit or topics make a pool; a state of one that isn't there is a slip of the pen. */
async function requirePool(session: Session, name: string): Promise<void> {
  const { pools } = await session.call('pools.list', {})
  if (pools.some((pool) => pool.name === name)) return
  const known = pools.map((pool) => pool.name).sort()
  throw usageError(
    `There is no pool “${name}”.`,
    known.length === 0 ? 'No runner and no rule names one yet.' : `Known are ${known.join(', ')}.`,
  )
}

async function list(context: CommandContext, session: Session): Promise<ExitCode> {
  const { pools } = await session.call('pools.list', {})
  for (const pool of pools) {
    if (context.json) context.emit({ type: 'pool', ...pool })
    else context.terminal.line(lineOf(context, pool))
  }
  await tellMissing(context, session)
  return 0
}

function lineOf({ terminal }: CommandContext, pool: PoolView): string {
  const { name, status, activeSlots, maxSlots, waiting, runners, limit, topics } = pool
  const { colors } = terminal
  const facts = [
    `${activeSlots} of ${maxSlots} slots`,
    `${waiting} waiting`,
    `${runners.length} ${runners.length === 1 ? 'runner' : 'runners'}`,
    ...(limit === null ? [] : [`limit ${limit}`]),
    ...(topics.length === 0 ? [] : [`for ${topics.join(', ')}`]),
  ]
  return `${name}  ${status === 'active' ? colors.green(status) : status}  ${colors.dim(facts.join(', '))}`
}

function limitOf(text: string): number | null {
  if (text === 'none') return null
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw usageError(`${text} is no limit.`, 'Write a whole number from 1, or none.')
}

const wordsOf = (text: string): readonly string[] =>
  text === 'none'
    ? []
    : text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
