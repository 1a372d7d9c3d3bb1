/** `prune`: forgets finished runs and dead letters that are over their age or count. */

import type { Command } from './command.ts'
import { withSession } from './with-session.ts'

export const pruneCommand: Command = {
  usage: 'prune',
  summary: 'Delete finished runs and dead letters that are over their age or count.',
  options: {},
  optionHelp: [],
  positionals: { min: 0, max: 0 },
  run: (context) =>
    withSession(context, 'look', async (session) => {
      const pruned = await session.call('store.prune', {})
      if (context.json) context.emit({ type: 'pruned', ...pruned })
      else {
        const { runs, blobs, deadLetters } = pruned
        context.terminal.line(`Deleted ${runs} runs, ${blobs} payloads and ${deadLetters} dead letters.`)
      }
      return 0
    }),
}
