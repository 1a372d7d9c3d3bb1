/** `circuits [list|reset ID]`: the circuit breakers of steps, and closing one by hand. */

import type { KnownCircuit } from '../../protocol/circuits.ts'
import { actionOf } from './action.ts'
import { circuitLine } from './circuit-lines.ts'
import type { Command, CommandContext } from './command.ts'
import { withSession } from './with-session.ts'

const actions = { list: { args: 0 }, reset: { args: 1 } }

export const circuitsCommand: Command = {
  usage: 'circuits [list | reset ID]',
  summary: 'List the circuit breakers that are open or have counted failures; close one.',
  options: {},
  optionHelp: [
    ['list', 'since when each is open, until when, and after how many failures'],
    ['reset ID', 'close it, and forget what it counted: the next step gets in'],
  ],
  positionals: { min: 0, max: 2 },
  run: (context) => {
    const given = context.positionals.length === 0 ? ['list'] : context.positionals
    const { word, args } = actionOf(circuitsCommand.usage, actions, given)
    return withSession(context, 'look', async (session) => {
      if (word === 'reset') {
        const [id = ''] = args
        await session.call('circuits.reset', { id })
        if (context.json) context.emit({ type: 'circuit.reset', id })
        else context.terminal.line('It is closed.')
        return 0
      }
      const { circuits } = await session.call('circuits.list', { workflowId: null })
      tell(context, circuits)
      return 0
    })
  },
}

function tell({ terminal, json, emit }: CommandContext, circuits: readonly KnownCircuit[]): void {
  if (json) for (const one of circuits) emit({ type: 'circuit', ...one })
  else if (circuits.length === 0) terminal.line('Every circuit breaker is closed.')
  else
    for (const known of circuits) {
      terminal.line(circuitLine(known))
      terminal.line(terminal.colors.dim(`  ${known.id}`))
    }
}
