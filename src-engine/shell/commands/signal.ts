/** `signal RUN NAME`: sends a run the message that one of its steps waits for, or will. */

import { runId } from '../../model/ids.ts'
import type { Command } from './command.ts'
import { readRunInput } from './run-input.ts'
import { withSession } from './with-session.ts'

const words = {
  delivered: 'Delivered: a step was waiting for it.',
  kept: 'Kept until a step waits for it.',
  repeated: 'Received before: nothing has changed.',
} as const

export const signalCommand: Command = {
  usage: 'signal RUN NAME [--payload JSON] [--correlation TEXT] [--id MESSAGE]',
  summary: 'Send a run a signal that one of its steps waits for, or will wait for.',
  options: { payload: { type: 'string' }, correlation: { type: 'string' }, id: { type: 'string' } },
  optionHelp: [
    ['--payload JSON', 'what the signal carries; @file reads it from a file, @- from the input'],
    ['--correlation TEXT', 'the correlation that the waiting step names'],
    ['--id MESSAGE', 'your own id of the message: sent again, it changes nothing'],
  ],
  positionals: { min: 2, max: 2 },
  run: async (context) => {
    const [run = '', name = ''] = context.positionals
    const text = (flag: string): string | null => {
      const value = context.flags[flag]
      return typeof value === 'string' ? value : null
    }
    const payload = await readRunInput(text('payload') ?? 'null', 'payload')
    const id = runId(run)
    return withSession(context, 'look', async (session) => {
      const answer = await session.call('signals.send', {
        runId: id,
        name,
        correlation: text('correlation'),
        payload,
        messageId: text('id'),
      })
      if (context.json) context.emit({ type: 'signal.sent', runId: id, name, ...answer })
      else context.terminal.line(words[answer.outcome])
      return 0
    })
  },
}
