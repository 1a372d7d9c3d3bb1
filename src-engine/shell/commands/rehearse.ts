/** `rehearse FILE`: what becomes of the workflow when each of its steps fails, times out, or loses its worker. */

import type { NodeId } from '../../model/ids.ts'
import type { Rehearsal, RehearsalCell, RehearsedEnd } from '../../protocol/rehearsal.ts'
import { knownSecrets } from '../vault.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { mockSetOf } from './dry-run.ts'
import { readRunInput } from './run-input.ts'
import { openWorkflowFile, printProblems } from './workflow-file.ts'

export const rehearseCommand: Command = {
  usage: 'rehearse FILE [--input JSON|@FILE] [--mocks SET]',
  summary: 'Let every step of a workflow go wrong, on mocks, and see what is undone.',
  options: { input: { type: 'string' }, mocks: { type: 'string' } },
  optionHelp: [
    ['--input JSON|@FILE', 'the input of every rehearsed run'],
    ['--mocks SET', 'the mocks of this name that nodes have; without it the first of each'],
  ],
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const file = await openWorkflowFile(
      context,
      context.positionals[0] ?? '',
      await knownSecrets(context.settings.values),
    )
    printProblems(context, file)
    if (file.hash === null) return 2
    const given = context.flags['input']
    const input = await readRunInput(typeof given === 'string' ? given : undefined)
    const mocks = mockSetOf(context, file)
    const { rehearseWorkflow } = await import('../rehearsal.ts')
    const { document, baseDirectory, customTasks, packages } = file
    const stop = new AbortController()
    const stopListening = context.onInterrupt(() => stop.abort())
    const name = (id: NodeId): string => document.nodes[id]?.title || id
    const told = (cell: RehearsalCell): void => tellCell(context, cell, name)
    try {
      if (!context.json) announce(context, document.title)
      const order = {
        document,
        customTasks,
        packages,
        input,
        mocks,
        baseDirectory,
        told,
        signal: stop.signal,
      }
      return tellEnd(context, await rehearseWorkflow(order), name)
    } finally {
      stopListening()
    }
  },
}

function announce({ terminal }: CommandContext, title: string): void {
  const { bold, yellow } = terminal.colors
  terminal.line(`${bold(title)}  ${yellow('rehearsal')}: nothing is kept, nothing outside is touched\n`)
}

const ways = {
  fails: 'fails',
  'times-out': 'times out',
  crashes: 'loses its worker',
  'undo-fails': 'can’t be undone',
} as const

function tellCell(context: CommandContext, cell: RehearsalCell, name: (id: NodeId) => string): void {
  if (context.json) {
    context.emit({ type: 'rehearsal.cell', ...cell })
    return
  }
  if (!cell.reached) return
  const { terminal } = context
  const { dim, green, red, yellow } = terminal.colors
  const names = (ids: readonly NodeId[]): string => ids.map(name).join(', ')
  const paint = cell.status === 'SUCCEEDED' || cell.status === 'COMPENSATED' ? green : yellow
  const parts = [
    ...(cell.undone.length === 0 ? [] : [`undone: ${names(cell.undone)}`]),
    ...(cell.stays.length === 0 ? [] : [yellow(`stays: ${names(cell.stays)}`)]),
    ...(cell.asks.length === 0 ? [] : [yellow(`a person decides: ${names(cell.asks)}`)]),
  ]
  terminal.line(
    `${name(cell.nodeId)} ${ways[cell.mode]}  ${paint(cell.status ?? '')}  ${parts.join(dim(' · '))}`.trimEnd(),
  )
  for (const { message } of cell.violations) terminal.line(`  ${red('broken rule')} ${message}`)
}

/** 1 when a rule of rollbacks was broken. */
function tellEnd(context: CommandContext, rehearsal: Rehearsal, name: (id: NodeId) => string): ExitCode {
  const { calm, cells, mocked, unreached, violations } = rehearsal
  const tried = cells.filter(({ reached }) => reached).length
  if (context.json) {
    context.emit({ type: 'rehearsal', calm, cells: cells.length, tried, mocked, unreached, violations })
  } else {
    const { dim, green, red, yellow } = context.terminal.colors
    const verdict = violations === 0 ? green('no rule was broken') : red(`rules broken: ${violations}`)
    context.terminal.line(`\n${tried} failures rehearsed, ${verdict}`)
    if (calm.status !== 'SUCCEEDED') context.terminal.line(yellow(untroubled(calm)))
    if (mocked.length > 0) context.terminal.line(dim(`mocked: ${mocked.map(name).join(', ')}`))
    if (unreached.length > 0) {
      context.terminal.line(`not reached with this input: ${unreached.map(name).join(', ')}`)
    }
  }
  return violations === 0 ? 0 : 1
}

function untroubled({ status, error, asks }: RehearsedEnd): string {
  if (asks.length > 0) return 'with nothing going wrong, it waits for a person'
  return `with nothing going wrong it ends ${status} all the same: ${error?.message ?? 'nobody says why'}`
}
