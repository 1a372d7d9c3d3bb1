/** `event emit NAME`: tells a fact to every run that waits for it, or to one run. */

import { runId } from '../../model/ids.ts'
import type { Command } from './command.ts'
import { usageError } from './command.ts'
import { readRunInput } from './run-input.ts'
import { withSession } from './with-session.ts'

const words = {
  accepted: 'Emitted: every step that waits for it goes on.',
  repeated: 'Received before: nothing has changed.',
} as const

export const eventCommand: Command = {
  usage: 'event emit NAME [--payload JSON] [--correlation TEXT] [--run RUN] [--id MESSAGE]',
  summary: 'Emit an event to all steps that wait for it now, or to one run that keeps it until it waits.',
  options: {
    payload: { type: 'string' },
    correlation: { type: 'string' },
    run: { type: 'string' },
    id: { type: 'string' },
  },
  optionHelp: [
    ['--payload JSON', 'what the event carries; @file reads it from a file, @- from the input'],
    ['--correlation TEXT', 'the correlation that the waiting steps name'],
    ['--run RUN', 'only this run gets it, and keeps it until a step of it waits'],
    ['--id MESSAGE', 'your own id of the message: emitted again, it changes nothing'],
  ],
  positionals: { min: 2, max: 2 },
  run: async (context) => {
    const [action = '', name = ''] = context.positionals
    if (action !== 'emit') {
      throw usageError(`That is no use of “event ${action}”.`, `Usage: sagasmith ${eventCommand.usage}`)
    }
    const text = (flag: string): string | null => {
      const value = context.flags[flag]
      return typeof value === 'string' ? value : null
    }
    const payload = await readRunInput(text('payload') ?? 'null', 'payload')
    const run = text('run')
    return withSession(context, 'look', async (session) => {
      const answer = await session.call('events.emit', {
        name,
        correlation: text('correlation'),
        payload,
        messageId: text('id'),
        runId: run === null ? null : runId(run),
      })
      if (context.json) context.emit({ type: 'event.emitted', name, ...answer })
      else context.terminal.line(words[answer.outcome])
      return 0
    })
  },
}
